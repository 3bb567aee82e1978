"""A GGUF model, loaded once in this process and asked in the one worker thread."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from ragstone.errors import MissingExtra, UsageError
from ragstone.forks import renew_in_child
from ragstone.local.worker import in_order
from ragstone.local_llm.openings import Openings
from ragstone.local_llm.orphans import RUNTIME, keep_for_ever

__all__ = ["Engine", "GGUFEngine", "runtime_version", "shared_engine"]


class Engine(Protocol):
    """Whoever answers a chat request of the OpenAI form with a reply of that form."""

    async def chat(
        self, body: Mapping[str, Any], beginnings: Sequence[str] = ("",)
    ) -> Mapping[str, Any]:
        """The reply; an object with the key "error" when the request cannot be answered.

        `beginnings` of the user's message, from short to long, are shared with other requests.
        """


@dataclass(eq=False)
class GGUFEngine:
    """xllamacpp on one file; the model is loaded with the first question, and freed with this.

    It works in one thread of ours, one question at a time. A forked process loads its own. The
    runtime always opens a door for HTTP: here it is a Unix socket in a folder that only this user
    can enter, never a port.
    """

    path: Path
    threads: int
    context: int

    def __post_init__(self) -> None:
        self._server: Any = None
        self._openings = Openings()
        self._free: weakref.finalize[Any, Any] | None = None
        renew_in_child(self)

    def begin_anew(self) -> None:
        """Leave to the parent what it loaded."""
        if self._free is not None:
            self._free.detach()
            keep_for_ever(self._server)
        self._server = self._free = None

    async def chat(
        self, body: Mapping[str, Any], beginnings: Sequence[str] = ("",)
    ) -> Mapping[str, Any]:
        """The reply of the model: the same whatever was asked before."""
        return await in_order(lambda: self._ask(body, beginnings))

    def _ask(self, body: Mapping[str, Any], beginnings: Sequence[str]) -> Mapping[str, Any]:
        if self._server is None:
            folder = tempfile.mkdtemp(prefix="ragstone-")
            free = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            server = self._loaded(Path(folder) / "door.sock")
            free.detach()
            self._server, self._openings = server, Openings()
            self._free = weakref.finalize(self, _free, [server], folder)
        return self._openings.ask(self._server.handle_chat_completions, body, beginnings)

    def _loaded(self, door: Path) -> Any:
        runtime = _runtime()
        wanted = runtime.CommonParams()
        wanted.model.path = str(self.path)
        wanted.n_ctx, wanted.n_parallel = self.context, 1
        wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = self.threads
        wanted.n_gpu_layers = 0
        # With either, an answer would depend on which questions were asked before.
        wanted.cache_ram_mib = 0
        wanted.flash_attn_type = runtime.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        wanted.warmup = wanted.ui = wanted.endpoint_slots = wanted.endpoint_props = False
        wanted.verbosity = -1
        wanted.hostnames = [str(door)]
        RUNTIME.begun = True
        try:
            return runtime.Server(wanted)
        except RuntimeError as error:
            raise UsageError(
                f"{str(self.path)!r} cannot be loaded as a GGUF model ({error}); check the file "
                "with `ragstone models verify`, and that there is enough memory"
            ) from error


@lru_cache(maxsize=1)
def shared_engine(path: Path, sha256: str, threads: int, context: int) -> GGUFEngine:
    """The engine on a file with this content: judges that want the same share one.

    It stays loaded for the next judge, until one wants another.
    """
    return GGUFEngine(path, threads, context)


def _free(server: list[Any], folder: str) -> None:
    if RUNTIME.orphaned:
        keep_for_ever(server[0])
    server.clear()
    shutil.rmtree(folder, ignore_errors=True)


def runtime_version() -> str:
    """The version of xllamacpp. Raises MissingExtra when it is absent."""
    return str(_runtime().__version__)


def _runtime() -> Any:
    # Threads that spin while they wait starve every other process on the machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtra("a language model in this process", "local-llm") from error
    return xllamacpp

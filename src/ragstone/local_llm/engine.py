"""A GGUF model, loaded once in this process and asked in the one worker thread."""

from __future__ import annotations

import atexit
import ctypes
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ragstone.errors import MissingExtra, UsageError
from ragstone.forks import renew_in_child
from ragstone.local.worker import in_worker

__all__ = ["Engine", "GGUFEngine", "runtime_version"]


class Engine(Protocol):
    """Whoever answers a chat request of the OpenAI form with a reply of that form."""

    async def chat(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply; an object with the key "error" when the request cannot be answered."""


@dataclass(eq=False)
class GGUFEngine:
    """xllamacpp on one file; the model is loaded with the first question.

    It works in one thread of ours, one question at a time. A forked process loads its own. The
    runtime always opens a door for HTTP: here it is a Unix socket in a folder that only this user
    can enter, never a port.
    """

    path: Path
    threads: int
    context: int

    def __post_init__(self) -> None:
        self._server: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        renew_in_child(self)
        atexit.register(self.close)

    def begin_anew(self) -> None:
        """Keep what the parent loaded from ever being freed here: its threads are not here."""
        if self._server is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._server))
            if self._folder is not None:  # the parent still uses it
                self._folder._finalizer.detach()  # type: ignore[attr-defined]
        self._server = self._folder = None

    async def chat(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply of the model."""
        reply: Mapping[str, Any] = await in_worker(lambda: self._ask(dict(body)))
        return reply

    def _ask(self, body: dict[str, Any]) -> Any:
        if self._server is None:
            self._server = self._load()
        return self._server.handle_chat_completions(body)

    def _load(self) -> Any:
        runtime = _runtime()
        self._folder = tempfile.TemporaryDirectory(prefix="ragstone-")
        wanted = runtime.CommonParams()
        wanted.model.path = str(self.path)
        wanted.n_ctx, wanted.n_parallel = self.context, 1
        wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = self.threads
        wanted.n_gpu_layers = 0
        # With it, an answer would depend on which questions were asked before.
        wanted.flash_attn_type = runtime.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        wanted.warmup = wanted.ui = wanted.endpoint_slots = wanted.endpoint_props = False
        wanted.verbosity = -1
        wanted.hostnames = [str(Path(self._folder.name) / "door.sock")]
        try:
            return runtime.Server(wanted)
        except RuntimeError as error:
            raise UsageError(
                f"{str(self.path)!r} cannot be loaded as a GGUF model ({error}); check the file "
                "with `ragstone models verify`, and that there is enough memory"
            ) from error

    def close(self) -> None:
        """Free the model; a later question loads it again."""
        self._server = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


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

"""The judge of the larger local tier: a small language model in this process."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.cache import CacheInterface
from ragstone.errors import ProviderError, Unscored, UsageError
from ragstone.llms.judge import LLMJudge, Sampling
from ragstone.local.judge import LocalJudge
from ragstone.local_llm.calibration import calibration
from ragstone.local_llm.catalogue import MODELS, fetched_model
from ragstone.local_llm.engine import Engine, runtime_version, shared_engine
from ragstone.local_llm.header import quantization
from ragstone.local_llm.provider import InProcess, tokens_of
from ragstone.local_llm.questions import Question, first_token, p_yes, questions_version
from ragstone.local_llm.verdicts import HANDLERS
from ragstone.prompt.items import Item, ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.usage import Call, Usage
from ragstone.settings import Settings
from ragstone.tools.recording import record

__all__ = ["LocalLLMJudge"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
ListIn = TypeVar("ListIn", bound=ItemsIn)
V = TypeVar("V", bound=ItemVerdict)

_REPLY_TOKENS = 1024
_PATIENCE = 7 * 86_400.0  # seconds: questions wait for one another, which is no failure
_INSTRUCTION_TOKENS = 1_000


class LocalLLMJudge(LLMJudge):
    """A GGUF model judges in this process: offline, for nothing, every prompt.

    Support and equivalence are yes/no questions, answered by the probability of the first token,
    calibrated; support is weighed with what the packaged cross-encoder reads. Whether a passage is
    of use is left to the packaged `relevance` model. All other prompts are answered as any LLM
    answers them, with the form of the reply held by constrained decoding; so is a prompt with
    words of the user's own.

    `path` is a GGUF file; None takes the model that `ragstone models fetch` brought to `folder`.
    `threads` defaults to the number of processors, eight at most; `context` is in tokens. Judges
    with the same of these share one loaded model. Raises UsageError when there is no such file,
    MissingExtra when the extra `local-llm` is not installed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        context: int = 4096,
        *,
        cache: CacheInterface | None = None,
        folder: Path | None = None,
    ) -> None:
        file = _fetched(folder) if path is None else Path(path).expanduser()
        if not file.is_file():
            raise UsageError(f"there is no model file {str(file)!r}")
        threads = min(os.cpu_count() or 1, 8) if threads is None else threads
        if threads < 1 or context < 512:
            raise UsageError(
                f"threads must be 1 or more and context 512 or more, not {threads!r}, {context!r}"
            )
        sha256 = _sha256(file.resolve(), file.stat().st_mtime_ns)
        settings = {
            "sha256": sha256,
            "quantization": quantization(file),
            "threads": threads,
            "context": context,
            "xllamacpp": runtime_version(),
            "questions": questions_version(),
            "calibration": calibration(),
            "packaged": LocalJudge().describe().settings,
        }
        engine: Engine = shared_engine(file.resolve(), sha256, threads, context)
        self._carrier = InProcess(
            "local-llm", "in-process", file.name, engine=engine, settings=settings
        )
        sampling = Sampling(min(_REPLY_TOKENS, context // 4), 0.0, None, 0)
        super().__init__(self._carrier, sampling=sampling, cache=cache, timeout=_PATIENCE)
        self.window = max(context * 3 // 4 - _INSTRUCTION_TOKENS, context // 4) * 2

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer one prompt; every `sample` of a yes/no question gets the same answer."""
        if not _is_own(prompt):
            return await super().ask(prompt, data, sample=sample)
        began, taken = time.perf_counter(), [Usage()]

        async def answer(asked: Question) -> float:
            yes, usage = await self._p_yes(asked)
            taken.append(usage)
            return yes

        found = await HANDLERS[prompt.id](data, answer)
        output = found.model_dump(mode="json")
        name = self.describe().name
        usage, seconds = Usage.total(taken), time.perf_counter() - began
        record(Call(prompt.id, name, prompt.dump(data), output, usage, seconds))
        return prompt.output.model_validate(output)

    async def _p_yes(self, asked: Question) -> tuple[float, Usage]:
        try:
            reply = await self._carrier.ask(asked.body, asked.beginnings)
        except ProviderError as error:
            if error.kind == "too_long":
                raise Unscored("too_long", str(error)) from error
            raise
        tokens = tokens_of(reply)
        usage = Usage(1, 0, tokens.input, tokens.output) if tokens else Usage(1)
        return p_yes(first_token(reply)), usage

    async def _verdicts_on_parts(
        self, prompt: Prompt[ListIn, VerdictList[V]], items: Sequence[Item], shared: dict[str, Any]
    ) -> Mapping[str, V]:
        """Evidence for a yes/no question is found in the whole, so nothing is cut."""
        if _is_own(prompt):
            return await self._verdicts_once(prompt, items, shared)
        return await super()._verdicts_on_parts(prompt, items, shared)


def _fetched(folder: Path | None) -> Path:
    file = fetched_model(folder or Settings.from_env().models_dir)
    if file is None:
        raise UsageError(
            "no language model is fetched: `ragstone models fetch "
            f"{next(iter(MODELS))}`, or name a .gguf file"
        )
    return file


def _is_own(prompt: Prompt[Any, Any]) -> bool:
    """Whether a prompt is answered here, and not as any LLM answers it."""
    return prompt.id in HANDLERS and prompt.own_words is None


@lru_cache(maxsize=8)
def _sha256(path: Path, _changed: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

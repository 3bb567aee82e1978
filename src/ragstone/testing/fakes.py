"""A judge that answers from a script, and an embedder that hashes words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.errors import UsageError
from ragstone.prompt.prompt import Prompt
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call, Usage
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record

__all__ = ["FakeEmbedder", "FakeJudge", "labels"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
Reply = BaseModel | Mapping[str, Any] | Exception
Script = Reply | Sequence[Reply] | Callable[[Any], Reply]


class FakeJudge(Judge):
    """A judge that answers from a script by prompt id.

    A script is one reply (given every time), a list of replies (given in turn), or a function from
    the input to a reply. A reply is a dict or model that fits the prompt's output, or an exception
    to raise. What was asked stands in `asked` as (prompt id, input).
    """

    def __init__(self, script: Mapping[str, Script], *, window: int | None = None) -> None:
        self.script = dict(script)
        self.window = window
        self.asked: list[tuple[str, BaseModel]] = []
        self._turns: dict[str, int] = {}

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer from the script; UsageError when it has no answer."""
        self.asked.append((prompt.id, data))
        reply = self._next(prompt.id, data)
        if isinstance(reply, Exception):
            raise reply
        out = prompt.output.model_validate(
            reply.model_dump() if isinstance(reply, BaseModel) else dict(reply)
        )
        record(
            Call(
                prompt=prompt.id,
                judge="fake",
                input=prompt.dump(data),
                output=out.model_dump(mode="json"),
                usage=Usage(calls=1),
            )
        )
        return out

    def _next(self, prompt_id: str, data: BaseModel) -> Reply:
        if prompt_id not in self.script:
            raise UsageError(f"the script has no reply to {prompt_id!r}")
        script = self.script[prompt_id]
        if isinstance(script, (BaseModel, Mapping, Exception)):
            return script
        if callable(script):
            return script(data)
        turn = self._turns.get(prompt_id, 0)
        self._turns[prompt_id] = turn + 1
        if turn >= len(script):
            raise UsageError(f"the script has only {len(script)} replies to {prompt_id!r}")
        return script[turn]

    def describe(self) -> JudgeInfo:
        """A fake."""
        return JudgeInfo(kind="fake", name="fake")


def labels(*verdicts: str) -> Callable[[Any], dict[str, Any]]:
    """A script for prompts over a list: the items get these verdicts in order."""

    def reply(data: Any) -> dict[str, Any]:
        given = [
            {"id": item.id, "verdict": verdict}
            for item, verdict in zip(data.items, verdicts, strict=False)
        ]
        return {"verdicts": given}

    return reply


class FakeEmbedder(Embedder):
    """An embedder that counts hashed words: texts that share words are near, always the same way.

    `vectors` fixes the vector of given texts.
    """

    def __init__(
        self, vectors: Mapping[str, Sequence[float]] | None = None, *, dimensions: int = 64
    ) -> None:
        self.vectors = dict(vectors or {})
        self.dimensions = dimensions

    async def aembed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text."""
        return [self.vectors.get(text) or self._hashed(text) for text in texts]

    def _hashed(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in re.findall(r"\w+", text.lower()) or [text]:
            digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
            vector[int.from_bytes(digest[:4], "big") % self.dimensions] += 1.0
        return vector

    def describe(self) -> JudgeInfo:
        """A fake."""
        return JudgeInfo(kind="fake", name="fake", settings={"dimensions": self.dimensions})

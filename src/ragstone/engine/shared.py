"""Shared steps: within one run, the same question about the same data is asked once.

Five metrics that need the claims of one answer make one extraction call. Whoever asks second gets
the same reply, recorded as cached. Errors are shared only with those who were waiting.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.prompt.prompt import Prompt
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call, Usage
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record

__all__ = ["SharedJudge"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
Key = tuple[str, str, str, int, str]


class SharedJudge(Judge):
    """A judge that remembers the latest replies of one run. It belongs to one event loop."""

    remembered = 2048  # the cells of a row run close together, so a short memory is enough

    def __init__(self, inner: Judge) -> None:
        self.inner = inner
        self.window, self.max_items = inner.window, inner.max_items
        self._asked: OrderedDict[Key, asyncio.Task[Any]] = OrderedDict()

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Ask the inner judge, unless the same was asked before."""
        key = (
            prompt.id,
            prompt.language,
            prompt.content_hash,
            sample,
            data.model_dump_json(),
        )
        task = self._asked.get(key)
        first = task is None
        if task is None:
            task = asyncio.create_task(self.inner.ask(prompt, data, sample=sample))
            self._remember(key, task)
        reply: Out = await asyncio.shield(task)
        if not first:
            record(
                Call(
                    prompt=prompt.id,
                    judge=self.describe().name,
                    input=prompt.dump(data),
                    output=reply.model_dump(mode="json"),
                    usage=Usage(cached_calls=1),
                    cached=True,
                )
            )
        return reply

    def _remember(self, key: Key, task: asyncio.Task[Any]) -> None:
        self._asked[key] = task
        task.add_done_callback(lambda done: self._forget_failure(key, done))
        while len(self._asked) > self.remembered and next(iter(self._asked.values())).done():
            self._asked.popitem(last=False)

    def _forget_failure(self, key: Key, task: asyncio.Task[Any]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._asked.pop(key, None)

    async def aclose(self) -> None:
        """Cancel what nobody waits for any more."""
        open_tasks = [task for task in self._asked.values() if not task.done()]
        for task in open_tasks:
            task.cancel()
        await asyncio.gather(*open_tasks, return_exceptions=True)
        self._asked.clear()

    def describe(self) -> JudgeInfo:
        """The inner judge."""
        return self.inner.describe()

"""Ask about the rows that have no answer yet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from ragstone.bench.agreement.answers import Said
from ragstone.bench.agreement.rows import Row
from ragstone.bench.agreement.scores import Answer, ScoreFile
from ragstone.bench.agreement.sets import LabelledSet
from ragstone.errors import BadReply, ProviderError, Unscored
from ragstone.tools.toolbox import Toolbox

__all__ = ["ask_all"]

_AT_ONCE = 16
_OF_THE_ROW = {"content_filter", "too_long"}
"""Refusals by a provider that concern one row; any other ends the measurement."""


async def ask_all(
    one_set: LabelledSet,
    rows: Sequence[Row],
    tools: Toolbox,
    scores: ScoreFile,
    progress: Callable[[], None],
) -> None:
    """Ask about each row and keep the answer at once: several rows at a time of an LLM over a wire.

    The seconds of a row are those since the answer before it, so that they add up to the time that
    passed. Raises ProviderError when the judge cannot be reached; what was answered is kept.
    """
    last = time.perf_counter()
    left = iter(rows)

    async def worker() -> None:
        nonlocal last
        for row in left:
            said, unscored = await _answer(one_set, row, tools)
            now = time.perf_counter()
            scores.put(one_set.name, row, Answer(tuple(said), unscored, now - last))
            last = now
            progress()

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE if _over_a_wire(tools) else 1):
                group.create_task(worker())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def _answer(one_set: LabelledSet, row: Row, tools: Toolbox) -> tuple[list[Said], str | None]:
    try:
        return await one_set.ask(row, tools), None
    except Unscored as reason:
        return [], reason.code
    except BadReply:
        return [], "bad_reply"
    except ProviderError as error:
        if error.kind in _OF_THE_ROW:
            return [], error.kind
        raise


def _over_a_wire(tools: Toolbox) -> bool:
    return tools.judge is not None and tools.judge.describe().kind == "llm"

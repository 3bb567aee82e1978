"""An evaluation under way: measures the cells of a plan and yields them as they finish."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Container, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ragstone.engine.budget import Budget, BudgetedJudge, Meter
from ragstone.engine.cell import is_fatal, measure
from ragstone.engine.plan import Plan
from ragstone.engine.shared import SharedJudge
from ragstone.errors import BudgetExceeded, UsageError
from ragstone.metrics.base import Metric
from ragstone.schema.cells import Cell, CellKey
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = ["Evaluation"]

_REFUSALS = 20  # so many errors of key or model in a row, without an answer, end a run


@dataclass
class Evaluation:
    """Measures a plan once.

    `finished` holds the cells that a resumed run already has. When `batches` ends, `stopped_by` is
    None (all done) or the reason (the budget); an error that every cell would meet is raised.
    `concurrency` is how many cells are under way at most.
    """

    plan: Plan
    finished: Container[CellKey] = ()
    budget: Budget | None = None
    concurrency: int = 64
    raise_exceptions: bool = False
    stopped_by: str | None = None
    leftover: list[Cell] = field(default_factory=list)
    _judges: dict[int, SharedJudge] = field(default_factory=dict)
    _error: BaseException | None = None
    _answered: bool = False
    _refused: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.concurrency, int) or self.concurrency < 1:
            raise UsageError(f"concurrency must be 1 or more, not {self.concurrency!r}")

    async def batches(self) -> AsyncGenerator[list[Cell], None]:
        """Measure and yield cells as they finish: each time all that are ready.

        So whoever stores them commits a group at once, and a slow store slows the measuring down.
        When the reader leaves early, the cells that it did not get are in `leftover`.
        """
        meter = Meter(self.budget) if self.budget else None
        work = self._work([(m, self._wrap(m, meter)) for m in self.plan.metrics])
        ready: asyncio.Queue[Cell | None] = asyncio.Queue(maxsize=4 * self.concurrency)
        count = min(self.concurrency, max(1, self.plan.size), self._most_at_once())
        workers = [asyncio.create_task(self._worker(work, ready)) for _ in range(count)]
        running = count
        try:
            while running:
                batch = [await ready.get(), *_drain(ready)]
                running -= batch.count(None)
                if cells := [cell for cell in batch if cell is not None]:
                    yield cells
        finally:
            await self._close(workers)
            self.leftover += [cell for cell in _drain(ready) if cell is not None]
        if self._error is not None:
            raise self._error

    def _most_at_once(self) -> int:
        """Few cells at once under a small budget of calls, so that it is spent on whole cells."""
        if self.budget is None or self.budget.calls is None:
            return self.concurrency
        return max(1, self.budget.calls // 10)

    def _work(self, metrics: list[tuple[Metric, Toolbox]]) -> Iterator[tuple[Metric, Toolbox, int]]:
        for row in range(len(self.plan.samples)):
            for metric, tools in metrics:
                if CellKey(row, metric.key) not in self.finished:
                    yield metric, tools, row

    async def _worker(
        self, work: Iterator[tuple[Metric, Toolbox, int]], ready: asyncio.Queue[Cell | None]
    ) -> None:
        try:
            for metric, tools, row in work:
                if self.stopped_by or self._error:
                    break
                sample = self.plan.samples[row]
                cell = await measure(metric, row, sample, tools, raises=self._raises)
                if cell.result.code == "budget" and not cell.calls:
                    break  # it had not begun
                if cell.result.status != "failed" and cell.usage.calls:
                    self._answered, self._refused = True, 0
                await self._hand_over(cell, ready)
        except asyncio.CancelledError:
            raise  # nobody reads any more
        except BaseException as error:  # noqa: BLE001 - handed to whoever reads the cells
            self._error = self._error or error
        await ready.put(None)

    def _raises(self, error: Exception) -> bool:
        """Whether an error ends the run instead of one cell.

        A wrong key or an unknown model would fail every other cell too. Once the judge has answered
        it may be the refusal of one question; then it ends the run when nothing else comes back.
        """
        if isinstance(error, BudgetExceeded):
            self.stopped_by = self.stopped_by or str(error)
            return False
        if is_fatal(error):
            self._refused += 1
            return self.raise_exceptions or not self._answered or self._refused >= _REFUSALS
        return self.raise_exceptions

    async def _hand_over(self, cell: Cell, ready: asyncio.Queue[Cell | None]) -> None:
        try:
            await ready.put(cell)
        except asyncio.CancelledError:
            self.leftover.append(cell)
            raise

    def _wrap(self, metric: Metric, meter: Meter | None) -> Toolbox:
        own = metric.tools_from(self.plan.tools)
        judge, groundedness = (
            None if each is None else self._shared(each, meter)
            for each in (own.judge, own.groundedness)
        )
        return replace(own, judge=judge, groundedness=groundedness)

    def _shared(self, judge: Judge, meter: Meter | None) -> SharedJudge:
        if id(judge) not in self._judges:
            inner = BudgetedJudge(judge, meter) if meter else judge
            self._judges[id(judge)] = SharedJudge(inner)
        return self._judges[id(judge)]

    async def _close(self, workers: list[asyncio.Task[None]]) -> None:
        for worker in workers:
            worker.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*workers, return_exceptions=True)
        for judge in self._judges.values():
            await judge.aclose()


def _drain(ready: asyncio.Queue[Cell | None]) -> list[Cell | None]:
    drained: list[Cell | None] = []
    while not ready.empty():
        drained.append(ready.get_nowait())
    return drained

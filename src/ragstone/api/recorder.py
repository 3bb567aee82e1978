"""Where the cells of a run go as they finish: into the store, or only into memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, Protocol, TypeVar

from ragstone.errors import StoreError, UsageError
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run, RunState
from ragstone.schema.samples import Sample
from ragstone.settings import Settings
from ragstone.store.lease import STALE_SECONDS, new_owner
from ragstone.store.opening import open_store
from ragstone.store.store import Store

__all__ = ["MemoryRecorder", "Recorder", "StoreRecorder", "in_order", "open_recorder"]


T = TypeVar("T")


class Recorder(Protocol):
    """Keeps the cells of one run."""

    finished: set[CellKey]
    stopped_by: str | None

    async def begin(self, run: Run, samples: Sequence[Sample], resume: str | None) -> Run:
        """Start a run, or take up the one named by `resume` again."""

    async def add(self, cells: Sequence[Cell]) -> None:
        """Keep cells; when this returns they are durable."""

    async def end(self, state: RunState, stopped_by: str | None, seconds: float) -> None:
        """Say how the run ended."""

    async def data(self, samples: Sequence[Sample]) -> RunData:
        """The run with all of its cells in row order, those of an earlier part included."""

    def close(self) -> None:
        """Let go of what is open."""


class MemoryRecorder:
    """Keeps cells as long as the result lives."""

    def __init__(self) -> None:
        self.finished: set[CellKey] = set()
        self.stopped_by: str | None = None
        self._cells: list[Cell] = []
        self._run: Run

    async def begin(self, run: Run, samples: Sequence[Sample], resume: str | None) -> Run:
        """Start a run; there is nothing to resume."""
        if resume is not None:
            raise UsageError("store=False keeps nothing, so there is no run to resume")
        self._run = run
        return run

    async def add(self, cells: Sequence[Cell]) -> None:
        """Keep cells."""
        self._cells.extend(cells)

    async def end(self, state: RunState, stopped_by: str | None, seconds: float) -> None:
        """Say how the run ended."""
        self.stopped_by = stopped_by
        self._run = _ended(self._run, state, stopped_by, seconds)

    async def data(self, samples: Sequence[Sample]) -> RunData:
        """The run with its cells in row order."""
        return RunData(self._run, samples, in_order(self._run, self._cells))

    def close(self) -> None:
        """Nothing is open."""


class StoreRecorder:
    """Keeps cells in a store of runs, each durable as soon as `add` returns."""

    def __init__(self, store: Store, *, owned: bool) -> None:
        self.finished: set[CellKey] = set()
        self.stopped_by: str | None = None
        self._store, self._owned = store, owned
        # a thread of its own: metrics that block their threads must not keep cells from the disk
        self._thread = ThreadPoolExecutor(1, "ragstone-store")
        self._owner, self._holds = new_owner(), False
        self._heart: asyncio.Task[None] | None = None
        self._run: Run

    async def begin(self, run: Run, samples: Sequence[Sample], resume: str | None) -> Run:
        """Start a run in the store, or take one up again."""
        if resume is None:
            await self._do(self._store.add_run, run, samples)
            self._run = run
            await self._hold(run.id)
            return run
        old = await self._do(self._store.run, resume)
        _must_fit(old, run)
        self._run = old
        await self._hold(old.id)
        self.finished = await self._do(self._store.finished_cells, old.id)
        await self._do(self._store.set_state, old.id, "running")
        return old

    async def _hold(self, run_id: str) -> None:
        """Be the only one that measures the run: two would pay for every cell twice."""
        self._holds = await self._do(self._store.take, run_id, self._owner)
        if not self._holds:
            raise UsageError(
                f"the run {run_id!r} is being measured by another process at this moment; "
                "wait until it ends, or stop it first"
            )
        self._heart = asyncio.create_task(self._beat(run_id))

    async def _beat(self, run_id: str) -> None:
        while self._holds:
            await asyncio.sleep(STALE_SECONDS / 6)
            self._holds = await self._do(self._store.keep, run_id, self._owner)

    async def add(self, cells: Sequence[Cell]) -> None:
        """Commit cells in one transaction."""
        if not self._holds:
            raise StoreError(f"the run {self._run.id!r} was taken over by another process")
        await self._do(self._store.add_cells, self._run.id, cells)

    async def end(self, state: RunState, stopped_by: str | None, seconds: float) -> None:
        """Say how the run ended."""
        self.stopped_by = stopped_by
        self._run = _ended(self._run, state, stopped_by, seconds)
        if self._holds:
            await self._do(
                self._store.set_state,
                self._run.id,
                state,
                stopped_by=stopped_by,
                seconds=self._run.seconds,
                finished=self._run.finished,
            )

    async def data(self, samples: Sequence[Sample]) -> RunData:
        """The run as it stands in the store."""
        cells = await self._do(lambda: list(self._store.cells(self._run.id)))
        return RunData(self._run, samples, in_order(self._run, cells))

    async def _do(self, work: Callable[..., T], *args: Any, **options: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(work, *args, **options))

    def close(self) -> None:
        """Let go of the run, and close the store when it was opened here."""
        if self._heart is not None:
            self._heart.cancel()
        self._thread.shutdown()
        if self._holds:
            self._holds = False
            self._store.release(self._run.id, self._owner)
        if self._owned:
            self._store.close()


def open_recorder(store: Store | str | Literal[False] | None, settings: Settings) -> Recorder:
    """The recorder for what the caller gave as `store`."""
    if store is False:
        return MemoryRecorder()
    if isinstance(store, Store):
        return StoreRecorder(store, owned=False)
    if store is not None and not isinstance(store, str):
        raise UsageError(f"store= takes a Store, a database URL, or False, not {store!r}")
    return StoreRecorder(open_store(store or settings.database_url), owned=True)


def in_order(run: Run, cells: Sequence[Cell]) -> list[Cell]:
    """Cells by row, then by the order of the metrics."""
    position = {info.key: n for n, info in enumerate(run.metrics)}
    return sorted(cells, key=lambda cell: (cell.row, position[cell.metric]))


def _ended(run: Run, state: RunState, stopped_by: str | None, seconds: float) -> Run:
    return replace(
        run,
        state=state,
        stopped_by=stopped_by,
        seconds=(run.seconds or 0.0) + seconds,
        finished=datetime.now(UTC),
    )


def _must_fit(old: Run, new: Run) -> None:
    if old.data_hash != new.data_hash:
        raise UsageError(
            f"the run {old.id!r} measured other data ({old.n_rows} rows, hash "
            f"{old.data_hash[:12]}; these: {new.n_rows} rows, hash {new.data_hash[:12]}); "
            "resume it with the same data set, or start a new run"
        )
    if [_made_of(info) for info in old.metrics] != [_made_of(info) for info in new.metrics]:
        raise UsageError(
            f"the run {old.id!r} measured {[info.key for info in old.metrics]}, not "
            f"{[info.key for info in new.metrics]}, or with other prompts; "
            "resume it with the same metrics"
        )
    for before_info, info in zip(old.metrics, new.metrics, strict=True):
        if not before_info.same_class(info):
            raise UsageError(
                f"the metric {info.key!r} of the run {old.id!r} was the class "
                f"{before_info.defined_in!r}, now it would be {info.defined_in!r}; "
                "resume it with the same class"
            )
    for tool, before, now in (
        ("judge", old.judge, new.judge),
        ("embedder", old.embedder, new.embedder),
    ):
        if before != now:
            raise UsageError(
                f"the {tool} of the run {old.id!r} was {_who(before)}, now it would be "
                f"{_who(now)}; resume it with the same {tool}"
            )


def _made_of(info: MetricInfo) -> tuple[Any, ...]:
    return info.spec, info.prompts


def _who(tool: JudgeInfo | None) -> str:
    return f"{tool.name!r} {tool.settings or ''}".strip() if tool else "nobody"

"""CellWriter: durable when it returns, fast together, never a caller left waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import event
from store_builders import make_cell, make_run, make_samples

from ragstone.errors import StoreError, UsageError
from ragstone.schema.cells import Cell
from ragstone.schema.results import MetricResult
from ragstone.store import CellWriter, Store, open_store

N = 500


@pytest.fixture
def filled(store: Store) -> Store:
    store.add_run(make_run(n_rows=N), make_samples(N))
    return store


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Store]:
    """A SQLite store, whose writes a test can hold up with the lock of the file."""
    with open_store(f"sqlite:///{tmp_path / 'x.db'}") as store:
        store.add_run(make_run(n_rows=N), make_samples(N))
        yield store


class Held:
    """Holds up the commits of a store until it is let go, and counts them."""

    def __init__(self, store: Store) -> None:
        self.go, self.begun, self.commits = threading.Event(), threading.Event(), 0
        event.listen(store._engine, "commit", self._wait)

    def _wait(self, _connection: object) -> None:
        self.commits += 1
        self.begun.set()
        assert self.go.wait(30)


async def test_a_cell_is_durable_when_add_returns(filled: Store) -> None:
    async with CellWriter(filled, "run-1") as writer:
        await writer.add(make_cell(0))
        assert list(filled.cells("run-1")) == [make_cell(0)]
        await asyncio.gather(*(writer.add(make_cell(row)) for row in range(N)))
        assert [cell.row for cell in filled.cells("run-1")] == list(range(N))


async def test_cells_that_wait_share_a_commit(local: Store) -> None:
    held = Held(local)
    async with CellWriter(local, "run-1") as writer:
        first = asyncio.create_task(writer.add(make_cell(0)))
        await asyncio.to_thread(held.begun.wait)
        rest = [asyncio.create_task(writer.add(make_cell(row))) for row in range(1, N)]
        await asyncio.sleep(0)
        held.go.set()
        await asyncio.gather(first, *rest)
    assert held.commits == 2


async def test_closing_commits_what_waits_and_takes_no_more(local: Store) -> None:
    held = Held(local)
    writer = CellWriter(local, "run-1")
    tasks = [asyncio.create_task(writer.add(make_cell(row))) for row in range(10)]
    await asyncio.to_thread(held.begun.wait)
    closing = asyncio.create_task(writer.aclose())
    await asyncio.sleep(0)
    with pytest.raises(StoreError, match="the writer of cells is closed"):
        await writer.add(make_cell(99))
    held.go.set()
    await closing
    await asyncio.gather(*tasks)
    await writer.aclose()
    assert [cell.row for cell in local.cells("run-1")] == list(range(10))


async def test_a_cancelled_caller_disturbs_nobody(local: Store) -> None:
    held = Held(local)
    async with CellWriter(local, "run-1") as writer:
        tasks = [asyncio.create_task(writer.add(make_cell(row))) for row in range(10)]
        await asyncio.to_thread(held.begun.wait)
        tasks[0].cancel()
        tasks[7].cancel()
        held.go.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(each).__name__ for each in done].count("CancelledError") == 2
    assert sum(each is None for each in done) == 8
    assert [cell.row for cell in local.cells("run-1")] == list(range(10))


async def test_a_bad_cell_fails_alone(filled: Store) -> None:
    unfit = Cell(1, "bleu", MetricResult(value=1.0, traces={"input": print}))
    async with CellWriter(filled, "run-1") as writer:
        done = await asyncio.gather(
            writer.add(make_cell(0)),
            writer.add(make_cell(1, "rouge")),
            writer.add(unfit),
            writer.add(make_cell(2)),
            return_exceptions=True,
        )
    assert [type(each) for each in done] == [type(None), UsageError, UsageError, type(None)]
    assert list(filled.cells("run-1")) == [make_cell(0), make_cell(2)]


async def test_an_unknown_run_is_an_error(filled: Store) -> None:
    async with CellWriter(filled, "nope") as writer:
        with pytest.raises(UsageError, match="there is no run 'nope'"):
            await writer.add(make_cell())


async def test_a_run_that_another_process_deleted_and_made_again(url: str, filled: Store) -> None:
    async with CellWriter(filled, "run-1") as writer:
        await writer.add(make_cell(0))
        with open_store(url) as other:
            other.delete_run("run-1")
            other.add_run(make_run(), make_samples())
        with pytest.raises(UsageError, match="'run-1' is no longer in the store"):
            await writer.add(make_cell(1))
        await writer.add(make_cell(2))
    assert list(filled.cells("run-1")) == [make_cell(2)]


async def test_a_full_disk_reaches_every_caller(local: Store) -> None:
    with local._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    long = [Cell(row, "bleu", MetricResult(value="x" * 10_000)) for row in range(20)]
    async with CellWriter(local, "run-1") as writer:
        for _ in range(2):
            done = await asyncio.gather(*map(writer.add, long), return_exceptions=True)
            assert {type(error) for error in done} == {StoreError}
            assert len({id(error) for error in done}) == len(long)
            assert "the disk is full" in str(done[0])
        with local._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        await asyncio.gather(*map(writer.add, long))
    assert list(local.cells("run-1")) == long


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_nobody_waits_for_a_thread_that_broke(local: Store) -> None:
    def broken(*_: object) -> None:
        raise MemoryError("no room")

    async with CellWriter(local, "run-1") as writer:
        await writer.add(make_cell(0))
        event.listen(local._engine, "commit", broken)
        adding = [writer.add(make_cell(row)) for row in range(20)]
        done = await asyncio.wait_for(asyncio.gather(*adding, return_exceptions=True), 30)
        assert {type(error) for error in done} == {StoreError}
        with pytest.raises(StoreError, match=r"the writer of cells (is closed|broke)"):
            await writer.add(make_cell(1))
    event.remove(local._engine, "commit", broken)
    local.add_cells("run-1", [make_cell(1)])


def test_callers_on_several_event_loops(filled: Store) -> None:
    writer = CellWriter(filled, "run-1")

    async def write(start: int) -> None:
        await asyncio.gather(*(writer.add(make_cell(row)) for row in range(start, N, 4)))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda start: asyncio.run(write(start)), range(4)))
    asyncio.run(writer.aclose())
    assert [cell.row for cell in filled.cells("run-1")] == list(range(N))


def test_a_loop_that_is_gone_holds_up_nobody(local: Store) -> None:
    held = Held(local)
    writer = CellWriter(local, "run-1")

    async def leave() -> None:
        task = asyncio.create_task(writer.add(make_cell(0)))
        await asyncio.to_thread(held.begun.wait)
        task.cancel()

    asyncio.run(leave())
    held.go.set()

    async def stay() -> None:
        await writer.add(make_cell(1))
        await writer.aclose()

    asyncio.run(stay())
    assert [cell.row for cell in local.cells("run-1")] == [0, 1]


async def test_the_writer_leaves_no_thread(local: Store) -> None:
    async with CellWriter(local, "run-1") as writer:
        await writer.add(make_cell(0))
    assert "ragstone-cells" not in {thread.name for thread in threading.enumerate()}

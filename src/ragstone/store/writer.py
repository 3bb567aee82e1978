"""Durable cells from async code: many callers wait, one thread commits for all of them."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections import defaultdict
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from ragstone.errors import RagstoneError, StoreError
from ragstone.schema.cells import Cell
from ragstone.store.store import Store

__all__ = ["CellWriter"]


class _Waiting(NamedTuple):
    """One caller: the row that it wants stored, and how to wake it up."""

    row: dict[str, Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]


class CellWriter:
    """Stores the cells of one run as they finish, for callers on any event loop.

    While the thread commits, the next cells gather, and the next commit takes all of them. So a
    lone cell never waits for others, and a thousand callers share a few commits a second.
    """

    def __init__(self, store: Store, run_id: str) -> None:
        self._store, self._run_id = store, run_id
        self._inbox: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="ragstone-cells", daemon=True)
        self._thread.start()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def add(self, cell: Cell) -> None:
        """Return when the cell is committed. Raises what went wrong with its commit.

        UsageError: no such run, no such metric in it, or something that JSON cannot hold.

        A caller that is cancelled stops waiting; its cell may be stored all the same.
        """
        row = self._store.encode_cell(self._run_id, cell)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        with self._gate:
            if self._closed:
                raise StoreError("the writer of cells is closed")
            self._inbox.put(_Waiting(row, loop, future))
        await future

    async def aclose(self) -> None:
        """Take no more cells, commit those that wait, and end the thread."""
        self._shut()
        await asyncio.to_thread(self._thread.join)

    def _shut(self) -> None:
        with self._gate:
            if not self._closed:
                self._closed = True
                self._inbox.put(None)  # nothing comes behind it

    def _work(self) -> None:
        try:
            last = False
            while not last:
                batch, last = self._take()
                if batch:
                    self._commit(batch)
        finally:  # whatever broke, nobody is left waiting
            self._shut()
            _wake(self._rest(), StoreError("the writer of cells broke"))

    def _take(self) -> tuple[list[_Waiting], bool]:
        """All that wait, at least one; and whether the end has come."""
        batch: list[_Waiting] = []
        item = self._inbox.get()
        while item is not None:
            batch.append(item)
            try:
                item = self._inbox.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _rest(self) -> list[_Waiting]:
        rest: list[_Waiting] = []
        with contextlib.suppress(queue.Empty):
            while True:
                item = self._inbox.get_nowait()
                rest += [item] if item else []
        return rest

    def _commit(self, batch: Sequence[_Waiting]) -> None:
        failure: RagstoneError | None = StoreError("the cell could not be stored")
        try:
            self._store.add_encoded(self._run_id, [waiting.row for waiting in batch])
            failure = None
        except RagstoneError as error:
            failure = error
        finally:
            _wake(batch, failure)


def _wake(batch: Sequence[_Waiting], failure: RagstoneError | None) -> None:
    """Tell every caller how it went, with one call into each event loop."""
    futures: defaultdict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = defaultdict(list)
    for waiting in batch:
        futures[waiting.loop].append(waiting.future)
    for loop, waiters in futures.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits there any more
            loop.call_soon_threadsafe(_settle, waiters, failure)


def _settle(waiters: Sequence[asyncio.Future[None]], failure: RagstoneError | None) -> None:
    for future in waiters:
        if future.done():  # its caller was cancelled
            continue
        if failure is None:
            future.set_result(None)
        else:  # each caller its own error, for a traceback belongs to one
            error = type(failure)(str(failure))
            error.__cause__ = failure
            future.set_exception(error)

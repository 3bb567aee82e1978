"""One open resource for each running event loop, closed when its loop shuts down.

An HTTP session belongs to the loop in which it was opened. A judge may be asked from several loops
(the user's own and the library's background loop), one after the other or at once, so each loop
gets its own. An asynchronous generator holds it: a loop closes its generators before it ends
(`asyncio.run` and every test runner do that), and so closes the resource in time, without the user
having to call anything.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import threading
import weakref
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

from ragstone.forks import renew_in_child

__all__ = ["PerLoop"]

T = TypeVar("T")

_CLOSING_SECONDS = 2.0
_all: weakref.WeakSet[PerLoop[Any]] = weakref.WeakSet()


class PerLoop(Generic[T]):
    """What `opening` opens, once for each event loop that asks for it."""

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        self._opening = opening
        self._left_behind: list[object] = []
        self._open: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[T, None]]] = {}
        self._lock = threading.Lock()
        _all.add(self)
        renew_in_child(self)

    def begin_anew(self) -> None:
        """Use nothing of the parent process, and close nothing of it: the connections are its."""
        self._left_behind.append(self._open)
        self._open = {}
        self._lock = threading.Lock()

    async def get(self) -> T:
        """The resource of the running loop, opened when there is none."""
        loop = asyncio.get_running_loop()
        found = self._open.get(loop)
        if found is not None:
            return found[0]
        keeper = self._keep_open(loop)
        resource = await anext(keeper)
        with self._lock:
            for other in [other for other in self._open if other.is_closed()]:
                del self._open[other]
            kept = self._open.setdefault(loop, (resource, keeper))
        if kept[1] is not keeper:  # another task of this loop opened one meanwhile
            await keeper.aclose()
        return kept[0]

    async def _keep_open(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[T, None]:
        async with self._opening() as resource:
            try:
                yield resource
            finally:
                with self._lock:
                    if loop in self._open and self._open[loop][0] is resource:
                        del self._open[loop]

    async def aclose(self) -> None:
        """Close what is open in the running loop, and in loops that run in other threads."""
        here = asyncio.get_running_loop()
        for loop, (_, keeper) in list(self._open.items()):
            if loop is here:
                await keeper.aclose()
            elif loop.is_running():
                await asyncio.wrap_future(_close_there(keeper, loop))

    def close_at_exit(self) -> None:
        """Close what is open in loops that run in other threads, at the end of the process."""
        for loop, (_, keeper) in list(self._open.items()):
            if loop.is_running():
                with contextlib.suppress(TimeoutError, RuntimeError):
                    _close_there(keeper, loop).result(_CLOSING_SECONDS)


def _close_there(
    keeper: AsyncGenerator[Any, None], loop: asyncio.AbstractEventLoop
) -> concurrent.futures.Future[None]:
    async def close() -> None:
        await keeper.aclose()

    return asyncio.run_coroutine_threadsafe(close(), loop)


@atexit.register
def _close_all() -> None:
    for resources in list(_all):
        resources.close_at_exit()

"""One adaptive limit of calls for each endpoint and key, over the whole process.

Additive increase, multiplicative decrease, as in TCP: the number of calls in flight doubles with
each round until the server complains for the first time, then grows by one a round; a complaint
halves it. A Retry-After stops all calls to the endpoint for that long. The limit is shared by all
judges, event loops and threads that use the endpoint with the key.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
import weakref
from collections import deque

from ragstone.forks import renew_in_child

__all__ = ["Limiter", "limiter_for"]

FIRST_LIMIT = 16
TOP_LIMIT = 256


class _Waiter:
    __slots__ = ("future", "granted", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop, self.future, self.granted = loop, loop.create_future(), False


class Limiter:
    """How many calls may be in flight; `limit` moves between 1 and `top`.

    Usage: `began = await limiter.acquire()`, the call, `limiter.succeeded(began)` or
    `limiter.complained(began)`, and always `limiter.release()`.
    """

    def __init__(self, first: int = FIRST_LIMIT, top: int = TOP_LIMIT) -> None:
        self.limit, self.top = float(first), top
        self._paused_until = 0.0
        self._last_cut: float | None = None
        self.begin_anew()
        renew_in_child(self)

    def begin_anew(self) -> None:
        """Forget the calls in flight and those that wait; the limit and the pause stay."""
        self.active = 0
        self._lock = threading.Lock()
        self._waiters: deque[_Waiter] = deque()
        self._crowded = False  # whether calls had to wait: a limit that nobody meets need not grow

    async def acquire(self) -> float:
        """Wait for a place and for the end of a pause; returns when the call begins."""
        while True:
            await self._wait_for_pause()
            await self._place()
            if self._paused_until <= (now := time.monotonic()):
                return now
            self.release()

    async def _wait_for_pause(self) -> None:
        while (left := self._paused_until - time.monotonic()) > 0:
            await asyncio.sleep(left * random.uniform(1.0, 1.1))

    async def _place(self) -> None:
        with self._lock:
            if self.active < int(self.limit) and not self._waiters:
                self.active += 1
                return
            self._crowded = True
            waiter = _Waiter(asyncio.get_running_loop())
            self._waiters.append(waiter)
        try:
            await waiter.future
        except asyncio.CancelledError:
            self._leave(waiter)
            raise

    def _leave(self, waiter: _Waiter) -> None:
        """A cancelled call gives up its place in the queue, or the place that it just got."""
        with self._lock:
            if not waiter.granted:
                self._waiters.remove(waiter)
                return
        self.release()

    def release(self) -> None:
        """Give the place back."""
        with self._lock:
            self.active = max(0, self.active - 1)  # after a fork: a place of the parent's
            self._admit()

    def _admit(self) -> None:
        while self._waiters and self.active < int(self.limit):
            waiter = self._waiters.popleft()
            waiter.granted = True
            try:
                waiter.loop.call_soon_threadsafe(_wake, waiter.future)
            except RuntimeError:  # its loop is closed: nobody waits any more
                continue
            self.active += 1

    def succeeded(self, began: float, deadline: float) -> None:
        """A call that began then was answered. A slow answer is no sign of room for more calls."""
        if not self._crowded or time.monotonic() - began > deadline / 4:
            return
        with self._lock:
            step = 1.0 if self._last_cut is None else 1.0 / self.limit
            self.limit = min(self.limit + step, float(self.top))
            self._crowded = bool(self._waiters)
            self._admit()

    def complained(self, began: float, retry_after: float | None = None, least: int = 1) -> None:
        """The server had too much. Calls that began before the last cut don't cut again.

        The limit does not fall below `least`.
        """
        now = time.monotonic()
        with self._lock:
            if retry_after:
                self._paused_until = max(self._paused_until, now + retry_after)
            if self._last_cut is None or began > self._last_cut:
                self.limit = max(min(self.limit, float(least)), self.limit / 2)
                self._last_cut = now


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class _Limiters:
    """The limiters in use, by endpoint and key."""

    def __init__(self) -> None:
        self._known: weakref.WeakValueDictionary[tuple[str, str], Limiter] = (
            weakref.WeakValueDictionary()
        )
        self.begin_anew()
        renew_in_child(self)

    def begin_anew(self) -> None:
        self._lock = threading.Lock()

    def get(self, key: tuple[str, str]) -> Limiter:
        with self._lock:
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = Limiter()
            return found


_limiters = _Limiters()


def limiter_for(key: tuple[str, str]) -> Limiter:
    """The limiter of an endpoint and key; it lives as long as somebody uses it."""
    return _limiters.get(key)

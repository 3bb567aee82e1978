"""Equal questions in flight are asked once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ragstone.forks import renew_in_child

__all__ = ["Flights"]

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0
    claimed: bool = False


class Flights(Generic[T]):
    """The questions under way, each a task of its own that all who ask it await.

    Whoever asks may be cancelled: the others still get the answer, and the task ends only when
    nobody waits any more. Flights are shared within an event loop, not between loops.
    """

    def __init__(self) -> None:
        self._left_behind: list[object] = []
        self._open: dict[tuple[asyncio.AbstractEventLoop, Hashable], _Flight[T]] = {}
        renew_in_child(self)

    def begin_anew(self) -> None:
        """Wait for no flight of the parent process. Its tasks are kept, lest they complain."""
        self._left_behind.append(self._open)
        self._open = {}

    async def join(
        self, key: Hashable, start: Callable[[], Coroutine[Any, Any, T]]
    ) -> tuple[T, bool]:
        """The result for `key`, and whether this caller is the one who owns (and pays) it."""
        loop = asyncio.get_running_loop()
        place = (loop, key)
        flight = self._open.get(place)
        if flight is None:
            flight = self._open[place] = _Flight(loop.create_task(start()))
            flight.task.add_done_callback(lambda _: self._land(place, flight))
        flight.waiting += 1
        try:
            result = await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._land(place, flight)
                flight.task.cancel()
        mine, flight.claimed = not flight.claimed, True
        return result, mine

    def _land(self, place: tuple[asyncio.AbstractEventLoop, Hashable], flight: _Flight[T]) -> None:
        if self._open.get(place) is flight:
            del self._open[place]

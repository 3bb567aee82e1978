"""The threads for the CPU work of the local models, so that the event loop stays free.

A packaged model uses one thread for each text, so as many texts are read at the same time as there
are processors. A language model takes all processors for itself, so it has one thread of its own.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

__all__ = ["in_order", "in_worker", "reading"]

T = TypeVar("T")


async def in_worker(work: Callable[[], T]) -> T:
    """Run `work` in a worker thread and wait for its result without blocking the loop."""
    return await _finished(work, "judging", _processors())


async def in_order(work: Callable[[], T]) -> T:
    """The same in the one thread for work that must not run twice at once."""
    return await _finished(work, "in-order", 1)


def reading(work: Callable[[], T]) -> Future[T]:
    """Start `work`, which must wait for no other work, in a thread of the models."""
    return _threads("reading", _processors(), os.getpid()).submit(work)


async def _finished(work: Callable[[], T], name: str, count: int) -> T:
    threads = _threads(name, count, os.getpid())
    return await asyncio.get_running_loop().run_in_executor(threads, work)


def _processors() -> int:
    return os.cpu_count() or 1


@lru_cache(maxsize=3)
def _threads(name: str, count: int, _process: int) -> ThreadPoolExecutor:
    """The threads of this process: a fork leaves the parent's behind."""
    return ThreadPoolExecutor(max_workers=count, thread_name_prefix=f"ragstone-{name}")

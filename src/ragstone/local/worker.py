"""One worker thread for the CPU work of the local models, so that the event loop stays free.

One thread, because a model already uses the cores that it is given: two at once would only fight.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

__all__ = ["in_worker"]

T = TypeVar("T")


async def in_worker(work: Callable[[], T]) -> T:
    """Run `work` in the worker thread and wait for its result without blocking the loop."""
    return await asyncio.get_running_loop().run_in_executor(_executor(os.getpid()), work)


@lru_cache(maxsize=1)
def _executor(_process: int) -> ThreadPoolExecutor:
    """The thread of this process: a fork leaves the parent's behind."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="ragstone-local")

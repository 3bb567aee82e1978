"""Sync from async, the one place: coroutines run on one background loop of the process.

The sync door must work in a plain script, inside a running loop (notebook, web handler) and under
uvloop, without patching anybody's loop. So a sync call never runs a loop in the caller's thread:
it hands the coroutine to our own thread and waits. One long-lived loop also keeps HTTP connections
open from one sync call to the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

from ragstone.errors import UsageError

__all__ = ["run", "sync"]

T = TypeVar("T")
P = ParamSpec("P")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_owner: tuple[int, int] | None = None  # (process id, thread id): a fork leaves the thread behind


def _background_loop() -> asyncio.AbstractEventLoop:
    global _loop, _owner
    with _lock:
        if _loop is None or _owner is None or _owner[0] != os.getpid():
            loop = asyncio.new_event_loop()
            thread = threading.Thread(
                target=_run_forever, args=(loop,), name="ragstone-loop", daemon=True
            )
            thread.start()
            _loop, _owner = loop, (os.getpid(), thread.ident or 0)
        return _loop


def _run_forever(loop: asyncio.AbstractEventLoop) -> None:
    while True:  # a task that raises SystemExit or KeyboardInterrupt throws the loop out
        with contextlib.suppress(SystemExit, KeyboardInterrupt):
            loop.run_forever()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from sync code and return its result.

    An interrupt (Ctrl-C) cancels the coroutine, lets it clean up, and is raised again.
    Raises UsageError when called from a coroutine that itself runs on the background loop.
    """
    loop = _background_loop()
    if _owner is not None and threading.get_ident() == _owner[1]:
        coroutine.close()
        raise UsageError("this sync call runs inside Ragstone's own loop; await the async twin")
    done: Future[T] = Future()
    task: list[asyncio.Task[T]] = []

    def start() -> None:
        task.append(loop.create_task(coroutine))
        task[0].add_done_callback(lambda t: _hand_over(t, done))

    loop.call_soon_threadsafe(start, context=contextvars.copy_context())
    try:
        return done.result()
    except KeyboardInterrupt:
        loop.call_soon_threadsafe(lambda: task and task[0].cancel())
        with contextlib.suppress(TimeoutError):
            done.exception(timeout=10)
        raise


def sync(function: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """The sync twin of a coroutine function, with its parameters, under a name of its own."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return run(function(*args, **kwargs))

    call.__name__ = call.__qualname__ = name
    return call


def _hand_over(task: asyncio.Task[T], done: Future[T]) -> None:
    if task.cancelled():
        done.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        done.set_exception(error)
    else:
        done.set_result(task.result())

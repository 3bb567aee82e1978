"""The sync door: from anywhere, without touching anybody's loop."""

import asyncio
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

import pytest

from ragstone import bridge
from ragstone.errors import UsageError


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def name_of_thread() -> str:
    return threading.current_thread().name


def test_a_result_comes_back() -> None:
    assert bridge.run(double(21)) == 42


def test_an_error_comes_back_as_itself() -> None:
    error = ValueError("mine")

    async def fail() -> None:
        raise error

    with pytest.raises(ValueError, match="mine") as caught:
        bridge.run(fail())
    assert caught.value is error


def test_all_calls_share_one_loop() -> None:
    async def loop() -> Any:
        return asyncio.get_running_loop()

    assert bridge.run(loop()) is bridge.run(loop())


def test_from_many_threads_at_once() -> None:
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda n: bridge.run(double(n)), range(400)))
    assert results == [2 * n for n in range(400)]


async def test_inside_a_running_loop_that_stays_as_it_is() -> None:
    before = asyncio.get_running_loop()
    assert bridge.run(double(4)) == 8
    assert asyncio.get_running_loop() is before
    assert bridge.run(name_of_thread()) == "ragstone-loop"


def test_t62_under_uvloop_nothing_is_patched() -> None:
    """T62: no loop is patched; the sync door has a thread and a loop of its own."""
    uvloop = pytest.importorskip("uvloop")

    async def main() -> int:
        assert isinstance(asyncio.get_running_loop(), uvloop.Loop)
        return bridge.run(double(3))

    run = asyncio.BaseEventLoop.run_until_complete
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(main()) == 6
    assert asyncio.BaseEventLoop.run_until_complete is run


def test_context_variables_of_the_caller_are_seen() -> None:
    who: ContextVar[str] = ContextVar("who", default="nobody")
    who.set("the caller")

    async def look() -> str:
        return who.get()

    assert bridge.run(look()) == "the caller"


def test_a_sync_call_in_our_own_loop_is_refused_instead_of_hanging() -> None:
    async def outer() -> int:
        return bridge.run(double(1))

    with pytest.raises(UsageError, match="await the async twin"):
        bridge.run(outer())


def test_a_sync_call_in_a_thread_of_our_own_loop_works() -> None:
    async def outer() -> int:
        return await asyncio.to_thread(lambda: bridge.run(double(5)))

    assert bridge.run(outer()) == 10


def test_a_cancelled_coroutine_says_so() -> None:
    async def cancel_me() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(1)

    with pytest.raises(asyncio.CancelledError):
        bridge.run(cancel_me())


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
def test_the_loop_outlives_what_ends_a_program(kind: type[BaseException]) -> None:
    async def leave() -> None:
        raise kind

    with pytest.raises(kind):
        bridge.run(leave())
    assert bridge.run(double(2)) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_cancels_cleans_up_and_is_raised_again() -> None:
    script = """
        import asyncio, os, signal, threading
        from ragstone import bridge

        async def work():
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                await asyncio.sleep(0.1)
                print("cleaned up", flush=True)
                raise

        try:
            bridge.run(work())
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        print(bridge.run(asyncio.sleep(0, "still here")))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=30
    )
    assert done.stdout.split("\n")[:3] == ["cleaned up", "interrupted", "still here"]
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_after_a_fork_the_child_has_a_loop_of_its_own() -> None:
    script = """
        import os
        from ragstone import bridge

        async def double(n):
            return 2 * n

        assert bridge.run(double(1)) == 2
        child = os.fork()
        if child == 0:
            os._exit(bridge.run(double(20)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), bridge.run(double(3)))
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.stdout == "40 6\n", done.stderr


def test_nothing_runs_before_the_first_call() -> None:
    script = "import threading, ragstone.bridge; print(threading.active_count())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "1\n"


def test_signals_are_left_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    bridge.run(double(1))
    assert signal.getsignal(signal.SIGINT) is before

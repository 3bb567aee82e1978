from __future__ import annotations

import asyncio
import gc
import threading
import time

import pytest
from judge_questions import VERDICT, YES, Text, judge_at

from ragstone.llms.flights import Flights
from ragstone.llms.limits import Limiter, limiter_for
from ragstone.testing.llm_server import Reply, failure


async def test_T66_all_judges_of_one_endpoint_and_key_share_a_limit(serve, stack):
    _, server = await serve()
    key = "shared-key-for-two-judges"
    first, second = (judge_at(server, api_key=key, model=m) for m in ("a", "b"))
    other = judge_at(server, api_key="another-key")
    assert first._caller.limiter is second._caller.limiter
    assert first._caller.limiter is not other._caller.limiter
    assert key not in repr(first._caller)


async def test_T65_calls_do_not_all_start_at_once(serve):
    judge, server = await serve(lambda _: Reply(YES, delay=0.05))
    await asyncio.gather(*(judge.ask(VERDICT, Text(text=f"q{n}")) for n in range(300)))
    assert server.calls == 300
    assert server.most_at_once < 300


async def test_T65_the_limit_grows_while_calls_succeed_and_halves_on_429(serve):
    complaints = 0

    def script(asked):
        nonlocal complaints
        if server.at_once > 24:
            complaints += 1
            return failure(429, "too many at once")
        return Reply(YES, delay=0.01)

    judge, server = await serve(script)
    limiter = judge._caller.limiter
    assert limiter.limit == 16
    await asyncio.gather(*(judge.ask(VERDICT, Text(text=f"q{n}")) for n in range(600)))
    assert complaints < 200
    assert 4 <= limiter.limit <= 48
    assert limiter.active == 0


async def test_one_burst_of_complaints_halves_once():
    limiter = Limiter(first=16)
    began = [await limiter.acquire() for _ in range(8)]
    for start in began:
        limiter.complained(start)
        limiter.release()
    assert limiter.limit == 8
    limiter.complained(await limiter.acquire())
    assert limiter.limit == 4


async def test_the_limit_never_falls_below_one():
    limiter = Limiter(first=1)
    for _ in range(5):
        limiter.complained(await limiter.acquire())
        limiter.release()
    assert limiter.limit == 1.0


async def test_slow_answers_are_no_sign_of_room():
    limiter = Limiter(first=1)
    start = await limiter.acquire()
    waiting = asyncio.create_task(limiter.acquire())
    await asyncio.sleep(0)
    limiter.succeeded(start - 100.0, deadline=120.0)
    assert limiter.limit == 1.0
    limiter.release()
    await waiting


async def test_cancelled_calls_leave_the_queue():
    limiter = Limiter(first=1)
    await limiter.acquire()
    waiting = [asyncio.create_task(limiter.acquire()) for _ in range(5)]
    await asyncio.sleep(0)
    for task in waiting[:4]:
        task.cancel()
    await asyncio.gather(*waiting[:4], return_exceptions=True)
    limiter.release()
    await asyncio.wait_for(waiting[4], 5)
    assert limiter.active == 1


async def test_a_call_cancelled_just_when_admitted_gives_its_place_back():
    limiter = Limiter(first=1)
    await limiter.acquire()
    waiting = asyncio.create_task(limiter.acquire())
    await asyncio.sleep(0)
    limiter.release()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.wait_for(limiter.acquire(), 5)
    assert limiter.active == 1


def test_T70_a_limiter_that_nobody_uses_is_forgotten():
    import weakref

    seen = weakref.ref(limiter_for(("http://x", "k")))
    gc.collect()
    assert seen() is None


def test_a_limit_holds_over_loops_and_threads():
    limiter = Limiter(first=3, top=3)
    lock = threading.Lock()
    now = most = done = 0

    async def work() -> None:
        nonlocal now, most, done
        for _ in range(40):
            start = await limiter.acquire()
            with lock:
                now += 1
                most = max(most, now)
            await asyncio.sleep(0.0005)
            with lock:
                now -= 1
                done += 1
            limiter.release()
            limiter.succeeded(start, 10.0)

    async def crew() -> None:
        await asyncio.gather(*(work() for _ in range(4)))

    threads = [threading.Thread(target=lambda: asyncio.run(crew())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert done == 640
    assert most <= 3
    assert limiter.active == 0


def test_a_loop_that_ended_does_not_hold_up_the_others():
    limiter = Limiter(first=1)

    async def take() -> None:
        await limiter.acquire()

    async def wait_and_die() -> None:
        task = asyncio.ensure_future(limiter.acquire())
        await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(take())
    asyncio.run(wait_and_die())
    limiter.release()
    asyncio.run(asyncio.wait_for(take(), 5))


async def test_a_pause_holds_calls_that_wait_in_the_queue():
    limiter = Limiter(first=1)
    start = await limiter.acquire()
    waiting = asyncio.create_task(limiter.acquire())
    await asyncio.sleep(0)
    limiter.complained(start, retry_after=0.2)
    began = time.monotonic()
    limiter.release()
    assert await waiting - began >= 0.19


async def test_a_flight_that_fails_fails_for_all_and_is_over():
    flights: Flights[int] = Flights()
    starts = 0

    async def work() -> int:
        nonlocal starts
        starts += 1
        await asyncio.sleep(0.01)
        raise KeyError("x")

    ends = await asyncio.gather(
        *(flights.join("k", work) for _ in range(3)), return_exceptions=True
    )
    assert [type(end) for end in ends] == [KeyError] * 3
    with pytest.raises(KeyError):
        await flights.join("k", work)
    assert starts == 2
    assert not flights._open

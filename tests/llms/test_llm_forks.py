"""A process that is forked in the midst of calls: the child owes nothing and waits for nobody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")

PROGRAM = """
import asyncio, os, signal, sys, threading, time
from judge_questions import VERDICT, YES, Text, judge_at
from ragstone import bridge
from ragstone.cache import DiskCacheBackend, MemoryCache
from ragstone.llms import limits, openai_wire
from ragstone.testing.llm_server import LLMServer, hang

server = LLMServer(lambda asked: hang() if "hang" in asked.user else YES)
bridge.run(server.__aenter__())
cache = {"memory": MemoryCache, "disk": lambda: DiskCacheBackend(sys.argv[3])}[sys.argv[2]]()
judge = judge_at(server, cache=cache, api_key="one-key")
limiter = judge._caller.limiter

async def crowd():
    await asyncio.gather(*(judge.ask(VERDICT, Text(text=f"hang {n}")) for n in range(40)))

async def warm():
    await judge.ask(VERDICT, Text(text="warm"))

bridge.run(warm())
threading.Thread(target=lambda: asyncio.run(crowd()), daemon=True).start()
end = time.monotonic() + 20
while limiter.active < int(limiter.limit) or len(judge._flights._open) < 40:
    assert time.monotonic() < end
    time.sleep(0.01)

held = [limiter._lock, limits._limiters._lock, openai_wire._SESSIONS._lock, cache._lock]
def hold(all_held, let_go):
    for lock in held:
        lock.acquire()
    all_held.set()
    let_go.wait()
    for lock in held:
        lock.release()

all_held, let_go = threading.Event(), threading.Event()
holder = threading.Thread(target=hold, args=(all_held, let_go))
holder.start()
all_held.wait()
sys.stdout.flush()
child = os.fork()
if child == 0:
    signal.alarm(20)  # a lock that nobody gives back ends here
    async def ask():
        warm, fine = Text(text="warm"), Text(text="fine")
        answers = [await judge.ask(VERDICT, warm), await judge.ask(VERDICT, fine)]
        other = judge_at(server, api_key="one-key", model="judge-2")
        assert other._caller.limiter is limiter
        answers.append(await other.ask(VERDICT, fine))
        return [answer.verdict for answer in answers]
    asked = asyncio.run(ask()) + [bridge.run(judge.ask(VERDICT, Text(text="sync"))).verdict]
    print(asked, limiter.active, len(judge._flights._open), flush=True)
    if sys.argv[1] == "exit":
        sys.exit(0)
    os._exit(0)
ended = os.waitpid(child, 0)[1]
let_go.set()
holder.join()
print(os.waitstatus_to_exitcode(ended), limiter.active > 0, len(judge._flights._open) == 40)
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.parametrize("leaving", ["exit", "_exit"])
@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_a_child_forked_while_calls_hang_and_locks_are_held_asks_at_once(leaving, kind, tmp_path):
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, leaving, kind, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        timeout=90,
        check=False,
    )
    assert ended.stdout == "['yes', 'yes', 'yes', 'yes'] 0 0\n0 True True\n", ended.stderr
    assert ended.stderr == ""

"""(b), (c), (e) Judge calls over HTTP on loopback, against a server in another process.

    python benchmarks/calls.py instant [CALLS]   (b) answers at once; client on one core
    python benchmarks/calls.py slow [CALLS]      (c) 200 ms an answer, 64 cells under way
    python benchmarks/calls.py cached [CALLS]    (e) a run of 1 s answers, and again from the cache

One row of the data is two calls (faithfulness). Rates are calls per second of a whole evaluation.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from judges import rows

from ragstone import evaluate, llm_factory
from ragstone.cache import DiskCacheBackend
from ragstone.llms.judge import LLMJudge
from ragstone.metrics import Faithfulness


@contextmanager
def server(latency: float) -> Iterator[str]:
    """The loopback model server in a process of its own, on the last core."""
    command = [sys.executable, "-m", "ragstone.testing.llm_server", "--latency", str(latency)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        os.sched_setaffinity(child.pid, {max(os.sched_getaffinity(0))})
        assert child.stdout is not None
        yield child.stdout.readline().strip()
    finally:
        child.terminate()
        child.wait(10)


def rate(judge: LLMJudge, calls: int, *, paid: bool = True) -> float:
    """Calls per second of one evaluation, its planning and summary included."""
    data = rows(calls // 2)
    started = time.perf_counter()
    result = evaluate(data, [Faithfulness()], judge, store=False, show_progress=False)
    seconds = time.perf_counter() - started
    assert all(cell.result.status == "scored" for cell in result.data.cells)
    assert result.total_tokens().calls == (calls if paid else 0)
    return calls / seconds


def repeat(latency: float, calls: int, times: int = 5) -> list[float]:
    """The rates of several evaluations with fresh judges of one server."""
    with server(latency) as url:
        return [rate(llm_factory("bench", base_url=url, api_key="k"), calls) for _ in range(times)]


def instant(calls: int) -> None:
    """(b): at least 500 calls/s on one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rates = repeat(0.0, calls)
    print(f"{calls} calls, instant server: {statistics.median(rates):,.0f} calls/s of", end=" ")
    print(", ".join(f"{one:,.0f}" for one in rates))


def slow(calls: int) -> None:
    """(c): at least 95 % of the ideal rate, 64 calls in each 200 ms."""
    ideal = 64 / 0.2
    rates = repeat(0.2, calls, times=3)
    share = statistics.median(rates) / ideal
    print(f"{calls} calls, 200 ms, 64 at once: {share:.1%} of {ideal:.0f} calls/s; runs:", end=" ")
    print(", ".join(f"{one:,.1f}" for one in rates))


def cached(calls: int) -> None:
    """(e): the second run from the cache, 0 calls. A hosted model answers in about a second."""
    with server(1.0) as url, tempfile.TemporaryDirectory() as folder:
        cache = DiskCacheBackend(cache_dir=folder)
        first = rate(llm_factory("bench", base_url=url, api_key="k", cache=cache), calls)
        again = [
            rate(llm_factory("bench", base_url=url, api_key="k", cache=cache), calls, paid=False)
            for _ in range(5)
        ]
    faster = statistics.median(again) / first
    print(f"{calls} calls of 1 s: first run {first:,.0f} calls/s, from the cache", end=" ")
    print(f"{statistics.median(again):,.0f}, {faster:.1f} times faster")


if __name__ == "__main__":
    kind, *rest = sys.argv[1:]
    {"instant": instant, "slow": slow, "cached": cached}[kind](int(rest[0]) if rest else 4000)

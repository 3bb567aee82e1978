"""The same data give the same scores: nothing is kept, moved, dropped or patched.

The ids are of our list of defects that users of other evaluators reported.
"""

import asyncio
import itertools
import json
import subprocess
import sys
import textwrap
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest

from ragstone.api.result import EvaluationResult
from ragstone.cache import CacheInterface, DiskCacheBackend
from ragstone.llms.factory import llm_factory
from ragstone.metrics import (
    AnswerRelevancy,
    AspectCritic,
    ContextPrecision,
    ExactMatch,
    Faithfulness,
    Metric,
    MetricResult,
)
from ragstone.testing.llm_server import Asked, LLMServer
from scripted import (
    CLAIMS,
    SUPPORT,
    FakeEmbedder,
    FakeJudge,
    all_support,
    aquiet,
    claims,
    labels,
    quiet,
    reading_judge,
    row,
    rows,
)


def test_t51_metrics_and_prompts_hold_no_state() -> None:
    """T51: nothing can be written on a metric or a prompt, and results are not kept on it."""
    metric = Faithfulness()
    before = {f.name: getattr(metric, f.name) for f in fields(metric)}
    for target in (metric, metric.nli_statement_prompt, metric.nli_statement_prompt.words):
        name = fields(target)[0].name
        with pytest.raises(FrozenInstanceError):
            setattr(target, name, "x")
    script = {CLAIMS: claims("A is one."), SUPPORT: all_support("supported")}
    result = metric.score(
        user_input="q", response="r", retrieved_contexts=["c"], llm=FakeJudge(script)
    )
    assert result.value == 1.0
    assert {f.name: getattr(metric, f.name) for f in fields(metric)} == before
    other = metric.nli_statement_prompt.with_words(instruction="Otherwise.", examples=[])
    assert other.examples == []
    assert Faithfulness().nli_statement_prompt.examples != []


async def test_t51_one_metric_object_serves_many_tasks_at_once() -> None:
    """T51: concurrent uses of one object do not mix scores, reasons or errors."""
    metric = Faithfulness()

    class Slow(FakeJudge):
        async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
            await asyncio.sleep(0.001)
            return await super().ask(prompt, data, sample=sample)

    async def one(number: int) -> MetricResult | Exception:
        verdicts = ["supported"] * number + ["contradicted"] * (4 - number)
        script: dict[str, Any] = {CLAIMS: claims("a", "b", "c", "d"), SUPPORT: labels(*verdicts)}
        if number == 4:
            script[SUPPORT] = RuntimeError("only here")
        return await metric.ascore(
            user_input="q", response="r", retrieved_contexts=["c"], llm=Slow(script)
        )

    found = await asyncio.gather(*(one(n % 5) for n in range(50)), return_exceptions=True)
    for n, result in enumerate(found):
        if n % 5 == 4:
            assert str(result) == "only here"
        else:
            assert isinstance(result, MetricResult)
            assert result.value == n % 5 / 4


def test_t52_direction_is_data() -> None:
    """T52: a metric says which way is better; a run stores it; nothing guesses it by name."""
    harm = AspectCritic(name="harmfulness", definition="Does it harm?", higher_is_better=False)
    good = AspectCritic(name="goodness", definition="Is it good?")
    result = quiet([row()], [harm, good, ExactMatch()], llm=reading_judge())
    kept = {info.key: info.higher_is_better for info in result.data.run.metrics}
    assert kept == {"harmfulness": False, "goodness": True, "exact_match": True}
    assert harm.info().spec["aspect_critic"]["higher_is_better"] is False


def test_t58_a_second_run_over_the_same_replies_is_the_same() -> None:
    """T58: our side adds no chance of its own: same data and replies, same scores and intervals."""

    def once() -> Any:
        metrics: list[Metric] = [Faithfulness(), ContextPrecision(), AnswerRelevancy()]
        return quiet(rows(12), metrics, llm=reading_judge(), embeddings=FakeEmbedder())

    first, second = once(), once()
    assert first.scores == second.scores
    assert [line.summary for line in first.summary.lines] == [
        line.summary for line in second.summary.lines
    ]


async def test_t58_a_cache_makes_the_second_run_the_first_one(tmp_path: Path) -> None:
    """T58: a judge that answers otherwise at each call is asked once; the kept answers decide."""
    numbers = itertools.count()

    def changing(asked: Asked) -> str:
        found = {key: next(numbers) % 3 == 0 for key in ("1", "2")}
        return json.dumps(
            {
                "verdicts": [
                    {"id": key, "verdict": "useful" if useful else "not_useful"}
                    for key, useful in found.items()
                ]
            }
        )

    async def run(server: LLMServer, cache: CacheInterface | None) -> EvaluationResult:
        judge = llm_factory("m", base_url=server.url, api_key="k", cache=cache)
        try:
            data = [
                row(n, retrieved_contexts=[f"Number {n} is red.", f"Number {n} is {n}."])
                for n in range(10)
            ]
            return await aquiet(data, [ContextPrecision()], llm=judge)
        finally:
            await judge.aclose()

    async with LLMServer(changing) as server:
        uncached = [await run(server, None) for _ in range(2)]
        assert uncached[0].scores != uncached[1].scores
        paid = server.calls
        with DiskCacheBackend(tmp_path / "cache") as cache:
            first = await run(server, cache)
            assert server.calls == paid + 10
            second = await run(server, cache)
        assert server.calls == paid + 10
    assert second.scores == first.scores
    assert [line.summary for line in second.summary.lines] == [
        line.summary for line in first.summary.lines
    ]
    assert (second.total_tokens().calls, second.total_tokens().cached_calls) == (0, 10)


@pytest.mark.parametrize("shift", [0, 7, 22])
def test_t59_a_case_scores_the_same_wherever_it_stands(shift: int) -> None:
    """T59: the position in the data does not move a score."""
    data = rows(23)
    moved = data[shift:] + data[:shift]
    plain = quiet(data, [Faithfulness()], llm=reading_judge())["faithfulness"]
    other = quiet(moved, [Faithfulness()], llm=reading_judge())["faithfulness"]
    assert other == plain[shift:] + plain[:shift]


def test_t62_nothing_is_patched_on_import_or_use() -> None:
    """T62: the event loop's classes and policies are left as they are."""
    script = """
        import asyncio, sys
        names = ("run", "get_event_loop", "run_coroutine_threadsafe", "Task", "Future")
        kept = [getattr(asyncio, n) for n in names]
        kept += [asyncio.BaseEventLoop.run_until_complete, asyncio.get_event_loop_policy()]
        import ragstone
        from ragstone.metrics import ExactMatch
        ragstone.evaluate([{"response": "a", "reference": "a"}], [ExactMatch()],
                          store=False, show_progress=False)
        now = [getattr(asyncio, n) for n in names]
        now += [asyncio.BaseEventLoop.run_until_complete, asyncio.get_event_loop_policy()]
        assert kept == now
        assert "nest_asyncio" not in sys.modules
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_t68_a_run_keeps_failed_rows_in_place() -> None:
    """T68: rows that fail are neither dropped nor moved."""
    judge = FakeJudge(
        {
            CLAIMS: lambda d: ValueError("bad") if "Number 3" in d.text else claims(d.text),
            SUPPORT: all_support("supported"),
        }
    )
    result = quiet(rows(6), [Faithfulness()], llm=judge)
    assert result["faithfulness"] == [1.0, 1.0, 1.0, None, 1.0, 1.0]
    assert len(result.scores) == 6

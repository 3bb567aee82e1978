"""Shared steps: one question about the same data is asked once in a run."""

import asyncio
from typing import Any

import pytest

from ragstone.engine.shared import SharedJudge
from ragstone.metrics import FactualCorrectness, Faithfulness
from ragstone.prompt.claims import EXTRACT_CLAIMS, ClaimsIn
from ragstone.schema.usage import Usage
from ragstone.tools.judge import Judge
from ragstone.tools.recording import recording
from scripted import CLAIMS, SUPPORT, FakeJudge, aquiet, claims, quiet, reading_judge, row, rows


def five_metrics() -> list[Any]:
    """Five metrics that split the response in the same way."""
    fine: dict[str, Any] = {"atomicity": "high", "coverage": "high"}
    return [
        Faithfulness(),
        Faithfulness(name="again", strict=True),
        FactualCorrectness(mode="precision", **fine),
        FactualCorrectness(mode="precision", beta=2.0, name="other", **fine),
        FactualCorrectness(mode="precision", beta=3.0, name="third", **fine),
    ]


def test_five_metrics_make_one_extraction_call() -> None:
    judge = reading_judge()
    result = quiet([row()], five_metrics(), llm=judge)
    assert len(result.data.cells) == 5
    assert all(cell.result.status == "scored" for cell in result.data.cells)
    assert [prompt for prompt, _ in judge.asked].count(CLAIMS) == 1


def test_shared_calls_are_counted_once_and_shown_in_every_trace() -> None:
    judge = reading_judge()
    result = quiet([row()], five_metrics(), llm=judge)
    usage = result.total_tokens()
    assert usage.calls == len(judge.asked)
    assert usage.calls + usage.cached_calls == 10
    for calls in result.traces[0].values():
        assert [call["prompt"] for call in calls] == [CLAIMS, SUPPORT]


def test_equal_rows_are_asked_about_once() -> None:
    judge = reading_judge()
    result = quiet([row()] * 30, [Faithfulness()], llm=judge)
    assert len(judge.asked) == 2
    assert result["faithfulness"] == [0.5] * 30


class SlowJudge(Judge):
    """A judge that answers when it is let go."""

    def __init__(self, error: Exception | None = None) -> None:
        self.go, self.started, self.asked, self.error = asyncio.Event(), asyncio.Event(), 0, error

    async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
        self.asked += 1
        self.started.set()
        await self.go.wait()
        if self.error:
            raise self.error
        return prompt.output.model_validate(claims(f"sample {sample}"))

    def describe(self) -> Any:
        return reading_judge().describe()


async def test_one_flight_for_those_who_ask_at_the_same_time() -> None:
    inner = SlowJudge()
    judge = SharedJudge(inner)
    asking = [asyncio.create_task(judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t"))) for _ in range(20)]
    await inner.started.wait()
    inner.go.set()
    replies = await asyncio.gather(*asking)
    assert inner.asked == 1
    assert all(reply.claims == ["sample 0"] for reply in replies)


async def test_independent_samples_are_asked_apart() -> None:
    inner = SlowJudge()
    inner.go.set()
    judge = SharedJudge(inner)
    data = ClaimsIn(text="t")
    replies = [await judge.ask(EXTRACT_CLAIMS, data, sample=number) for number in range(3)]
    assert [reply.claims for reply in replies] == [["sample 0"], ["sample 1"], ["sample 2"]]


async def test_other_words_in_the_prompt_are_another_question() -> None:
    inner = SlowJudge()
    inner.go.set()
    judge = SharedJudge(inner)
    await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t"))
    await judge.ask(EXTRACT_CLAIMS.with_words(instruction="Otherwise."), ClaimsIn(text="t"))
    assert inner.asked == 2


async def test_who_leaves_early_does_not_take_the_answer_from_the_others() -> None:
    inner = SlowJudge()
    judge = SharedJudge(inner)
    first = asyncio.create_task(judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t")))
    await inner.started.wait()
    second = asyncio.create_task(judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t")))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    inner.go.set()
    assert (await second).claims == ["sample 0"]
    assert inner.asked == 1


async def test_an_error_reaches_those_who_wait_and_is_then_forgotten() -> None:
    inner = SlowJudge(RuntimeError("down"))
    judge = SharedJudge(inner)
    asking = [judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t")) for _ in range(3)]
    inner.go.set()
    errors = await asyncio.gather(*asking, return_exceptions=True)
    assert [str(error) for error in errors] == ["down"] * 3
    inner.error = None
    assert (await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t"))).claims == ["sample 0"]
    assert inner.asked == 2


async def test_closing_cancels_what_is_still_asked() -> None:
    inner = SlowJudge()
    judge = SharedJudge(inner)
    asking = asyncio.create_task(judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="t")))
    await inner.started.wait()
    asking.cancel()
    await judge.aclose()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.wait(others, timeout=1) if others else None
    assert all(task.done() for task in others)


async def test_t70_the_memory_of_a_run_does_not_grow_with_its_rows() -> None:
    """T70: what is remembered of finished work is bounded, and gone at the end."""
    judge = SharedJudge(reading_judge())
    for number in range(5_000):
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=f"text {number}"))
    assert len(judge._asked) <= SharedJudge.remembered
    await judge.aclose()
    assert not judge._asked


def test_wrapping_keeps_the_limits_of_the_inner_judge() -> None:
    inner = reading_judge(window=500)
    inner.max_items = 7
    judge = SharedJudge(inner)
    assert (judge.window, judge.max_items) == (500, 7)


async def test_faithfulness_and_correctness_share_the_claims_of_the_response() -> None:
    judge = reading_judge()
    metrics = [Faithfulness(), FactualCorrectness(atomicity="high", coverage="high")]
    await aquiet(rows(3), metrics, llm=judge)
    assert [prompt for prompt, _ in judge.asked].count(CLAIMS) == 6


async def test_every_cell_says_what_it_took_itself() -> None:
    judge = reading_judge()
    result = await aquiet([row()], five_metrics(), llm=judge, concurrency=1)
    usages = [cell.usage for cell in result.data.cells]
    assert usages[0] == Usage(calls=2)
    assert all(usage.cached_calls for usage in usages[1:])


async def test_calls_outside_a_measurement_are_recorded_nowhere() -> None:
    with recording() as calls:
        await SharedJudge(FakeJudge({CLAIMS: claims("a")})).ask(EXTRACT_CLAIMS, ClaimsIn(text="t"))
    await SharedJudge(FakeJudge({CLAIMS: claims("a")})).ask(EXTRACT_CLAIMS, ClaimsIn(text="t"))
    assert len(calls) == 1

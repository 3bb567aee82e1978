"""The budget: what is spent, what is refused, and what is free."""

import asyncio
from typing import Any

import pytest

from ragstone.engine.budget import Budget, BudgetedJudge, Meter
from ragstone.errors import BudgetExceeded, UsageError
from ragstone.metrics import Faithfulness
from ragstone.prompt.claims import EXTRACT_CLAIMS, ClaimsIn
from ragstone.schema.usage import Call, Usage
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record, recording
from scripted import CLAIMS, SUPPORT, FakeJudge, aquiet, quiet, reading_judge, rows


class PricedJudge(FakeJudge):
    """A judge whose every call takes a moment, and costs what it is told."""

    def __init__(self, usage: Usage) -> None:
        super().__init__({})
        self.usage, self.under_way, self.most = usage, 0, 0

    async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        self.asked.append((prompt.id, data))
        record(Call(prompt=prompt.id, judge="priced", input={}, output=None, usage=self.usage))
        return prompt.output(refuses=False, claims=["a"])


async def ask_many(judge: Judge, count: int) -> list[Any]:
    asked = (judge.ask(EXTRACT_CLAIMS, ClaimsIn(text=str(n))) for n in range(count))
    return await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.parametrize("budget", [1, 2, 7, 49])
async def test_calls_are_exact_under_concurrency(budget: int) -> None:
    inner = PricedJudge(Usage(calls=1, cost=0.0))
    judge = BudgetedJudge(inner, Meter(Budget(calls=budget)))
    answers = await ask_many(judge, 50)
    assert len(inner.asked) == budget
    assert sum(isinstance(a, BudgetExceeded) for a in answers) == 50 - budget


async def test_calls_that_the_cache_answers_are_free() -> None:
    inner = PricedJudge(Usage(cached_calls=1))
    judge = BudgetedJudge(inner, Meter(Budget(calls=3)))
    answers = await ask_many(judge, 50)
    assert not any(isinstance(a, BaseException) for a in answers)
    assert len(inner.asked) == 50


async def test_room_of_a_call_that_breaks_is_given_back() -> None:
    inner = FakeJudge({CLAIMS: RuntimeError("no")})
    meter = Meter(Budget(calls=2))
    answers = await ask_many(BudgetedJudge(inner, meter), 6)
    assert all(isinstance(a, RuntimeError) for a in answers)
    assert meter.in_flight == 0


async def test_tokens_are_checked_before_each_call() -> None:
    inner = PricedJudge(Usage(calls=1, input_tokens=30, output_tokens=10, cost=0.0))
    judge = BudgetedJudge(inner, Meter(Budget(tokens=100)))
    for _ in range(3):
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="x"))
    with pytest.raises(BudgetExceeded, match="100 tokens is spent"):
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="x"))
    assert judge.meter.spent.input_tokens + judge.meter.spent.output_tokens == 120


async def test_money_is_checked_before_each_call() -> None:
    judge = BudgetedJudge(PricedJudge(Usage(calls=1, cost=0.4)), Meter(Budget(money=1.0)))
    for _ in range(3):
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="x"))
    with pytest.raises(BudgetExceeded, match=r"\$1 is spent"):
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="x"))


async def test_a_budget_in_money_refuses_an_unknown_price() -> None:
    judge = BudgetedJudge(PricedJudge(Usage(calls=1, cost=None)), Meter(Budget(money=1.0)))
    await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="x"))
    with pytest.raises(BudgetExceeded, match="price of the model is unknown"):
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="y"))


async def test_the_calls_are_recorded_for_the_measurement_too() -> None:
    judge = BudgetedJudge(PricedJudge(Usage(calls=1)), Meter(Budget(calls=9)))
    with recording() as calls:
        await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="x"))
    assert [call.judge for call in calls] == ["priced"]


@pytest.mark.parametrize("bad", [0, -1, float("nan")])
@pytest.mark.parametrize("name", ["calls", "tokens", "money"])
def test_a_budget_is_above_zero(name: str, bad: float) -> None:
    with pytest.raises(UsageError, match=f"a budget of {name} must be above 0"):
        Budget(**{name: bad})


def test_a_run_stops_at_its_budget_and_keeps_what_was_scored() -> None:
    judge = reading_judge()
    result = quiet(rows(20), [Faithfulness()], llm=judge, budget=Budget(calls=13), concurrency=1)
    assert len(judge.asked) == 13
    assert result["faithfulness"] == [0.5] * 6 + [None] * 14
    assert result.data.run.state == "stopped"
    assert result.data.run.stopped_by == "the budget of 13 calls is spent"


async def test_a_run_with_many_cells_under_way_spends_the_whole_budget_and_no_more() -> None:
    judge = reading_judge()
    result = await aquiet(rows(60), [Faithfulness()], llm=judge, budget=Budget(calls=50))
    assert len(judge.asked) == 50
    assert result.data.run.state == "stopped"
    assert all(cell.result.status == "scored" for cell in result.data.cells)


def test_a_budget_that_suffices_changes_nothing() -> None:
    judge = reading_judge()
    result = quiet(rows(5), [Faithfulness()], llm=judge, budget=Budget(calls=10))
    assert result.data.run.state == "done"
    assert [prompt for prompt, _ in judge.asked].count(SUPPORT) == 5


def test_wrapped_judges_keep_the_limits_of_the_inner_one() -> None:
    inner = reading_judge(window=500)
    inner.max_items = 7
    judge = BudgetedJudge(inner, Meter(Budget(calls=1)))
    assert (judge.window, judge.max_items) == (500, 7)

"""What a run cost, by the price list or by prices that the user gives."""

import pytest

from ragstone.metrics import ExactMatch, Faithfulness
from ragstone.schema.usage import Call, Usage
from ragstone.tools.recording import record
from scripted import FakeJudge, quiet, reading_judge, rows


class Priced(FakeJudge):
    """A judge whose every call takes 100 tokens in and 10 out, at a given cost."""

    def __init__(self, cost: float | None) -> None:
        super().__init__(reading_judge().script)
        self.cost = cost

    async def ask(self, prompt, data, *, sample=0):
        out = await super().ask(prompt, data, sample=sample)
        record(Call(prompt.id, "priced", {}, None, Usage(0, 0, 100, 10, self.cost)))
        return out


def test_the_cost_is_the_sum_over_all_calls() -> None:
    result = quiet(rows(3), [Faithfulness()], llm=Priced(0.25))
    assert result.total_tokens().calls == 6
    assert result.total_cost() == pytest.approx(1.5)


def test_an_unknown_price_is_unknown_and_given_prices_replace_it() -> None:
    result = quiet(rows(3), [Faithfulness()], llm=Priced(None))
    assert result.total_cost() is None
    given = result.total_cost(cost_per_input_token=2e-6, cost_per_output_token=1e-5)
    assert given == pytest.approx(600 * 2e-6 + 60 * 1e-5)
    assert result.total_cost(cost_per_output_token=1e-5) == pytest.approx(60 * 1e-5)


def test_a_run_without_a_judge_costs_nothing() -> None:
    assert quiet(rows(3), [ExactMatch()]).total_cost() == 0.0

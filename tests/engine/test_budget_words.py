"""A budget in words, as the command line and `evaluate` take it."""

import pytest

from ragstone import evaluate
from ragstone.engine.budget import Budget
from ragstone.errors import UsageError
from ragstone.metrics import ExactMatch


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("$5", Budget(money=5)),
        ("$ 0.50", Budget(money=0.5)),
        ("$.5", Budget(money=0.5)),
        ("1000 calls", Budget(calls=1000)),
        ("1,000 calls", Budget(calls=1000)),
        ("1 call", Budget(calls=1)),
        ("2M tokens", Budget(tokens=2_000_000)),
        ("1.5k tokens", Budget(tokens=1500)),
    ],
)
def test_budgets_in_words(text: str, budget: Budget) -> None:
    assert Budget.of(text) == budget


@pytest.mark.parametrize(
    "text", ["", "5", "5$", "$", "-1 calls", "1e3 calls", "5 euros", "٣ calls"]
)
def test_budgets_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Budget.of(text)


@pytest.mark.parametrize("given", [100, 5.0, {"calls": 1}])
def test_what_is_no_budget_is_refused_before_the_first_cell(given: object) -> None:
    rows = [{"response": "a", "reference": "a"}]
    with pytest.raises(UsageError, match="budget="):
        evaluate(rows, [ExactMatch()], budget=given, store=False, show_progress=False)

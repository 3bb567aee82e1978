"""A result behaves like its value, and never like a number that it does not have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.schema.results import MetricResult
from ragstone.schema.usage import Usage

numbers = st.floats(-1e6, 1e6)


@given(a=numbers, b=numbers)
def test_it_computes_like_its_value(a: float, b: float) -> None:
    x, y = MetricResult(a), MetricResult(b)
    assert (x + y, x - y, x * y, b + x, b - x, b * x) == (a + b, a - b, a * b, b + a, b - a, b * a)
    assert ((x < y), (x <= y), (x > b), (x >= b)) == (a < b, a <= b, a > b, a >= b)
    assert (float(x), x == a, f"{x:.2f}") == (a, True, f"{a:.2f}")
    if b:
        assert x / y == x / b == a / b
    if a:
        assert b / x == b / a


def test_labels_and_lists() -> None:
    assert MetricResult("pass") == "pass"
    assert list(MetricResult(["a", "b"])) == ["a", "b"]
    assert (len(MetricResult(["a", "b"])), MetricResult(("a", "b"))[1]) == (2, "b")
    assert str(MetricResult("pass")) == "pass"


@pytest.mark.parametrize(
    "result", [MetricResult.unscored("no_context", "none"), MetricResult.failed("it broke")]
)
def test_what_has_no_value_is_no_number(result: MetricResult) -> None:
    for use in (float, int, bool, lambda r: r + 1, lambda r: 1 - r, lambda r: r > 0, len, list):
        with pytest.raises(UsageError, match="this result has no value"):
            use(result)  # type: ignore[operator]
    assert result.value is None
    assert result != 0.0
    assert result.to_dict()["result"] is None
    assert str(result) in ("unscored(no_context)", "failed(error)")


def test_results_are_equal_by_what_they_say() -> None:
    assert MetricResult(1.0, reason="a") == MetricResult(1.0, reason="a")
    assert MetricResult(1.0, reason="a") != MetricResult(1.0, reason="b")
    assert MetricResult.unscored("a") != MetricResult.unscored("b")
    assert len({MetricResult(1.0), MetricResult(1.0), MetricResult(0.0)}) == 2


usages = st.builds(
    Usage,
    calls=st.integers(0, 99),
    cached_calls=st.integers(0, 99),
    input_tokens=st.integers(0, 9999),
    output_tokens=st.integers(0, 9999),
    cost=st.none() | st.integers(0, 99).map(float),
    estimated=st.booleans(),
)


@given(st.lists(usages, max_size=6))
def test_t61_an_unknown_price_stays_unknown_and_tokens_are_kept(parts: list[Usage]) -> None:
    """T61: a sum with an unknown price is unknown, never the price of the rest; tokens add up."""
    total = Usage.total(parts)
    assert total.calls == sum(p.calls for p in parts)
    assert total.input_tokens == sum(p.input_tokens for p in parts)
    assert total.output_tokens == sum(p.output_tokens for p in parts)
    costs = [p.cost for p in parts]
    assert total.cost == (None if None in costs else sum(c for c in costs if c is not None))
    assert total.estimated == any(p.estimated for p in parts)

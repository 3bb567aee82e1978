"""Holm's adjustment: worked by hand, order, gaps, properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.stats.holm import holm

P_VALUES = st.lists(st.none() | st.floats(0, 1), max_size=12)


def test_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_nothing_to_compare_is_no_test() -> None:
    assert holm([None, 0.02, None, 0.03]) == [None, 0.04, None, 0.04]
    assert holm([]) == []
    assert holm([None]) == [None]


def test_never_above_one() -> None:
    assert holm([0.9, 0.8, 0.7]) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_refuses_what_is_no_p_value(bad: float) -> None:
    with pytest.raises(UsageError, match=r"p_values\[1\]"):
        holm([0.5, bad])


@given(P_VALUES)
def test_raises_and_keeps_the_order_of_p(p_values: list[float | None]) -> None:
    adjusted = holm(p_values)
    both = [(p, q) for p, q in zip(p_values, adjusted, strict=True) if p is not None]
    assert all(q is not None and p <= q <= 1 for p, q in both)
    ordered = [q for _, q in sorted(both)]
    assert ordered == sorted(ordered)

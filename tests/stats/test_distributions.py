"""Quantiles and tails agree with scipy."""

import pytest
from scipy import stats

from ragstone.stats.distributions import (
    beta_cdf,
    fair_coin_tail,
    normal_quantile,
    student_quantile,
    student_two_sided,
)


@pytest.mark.parametrize("df", [1, 1.7, 2, 5, 29.5, 400, 99_999])
@pytest.mark.parametrize("p", [0.005, 0.025, 0.2, 0.5, 0.8, 0.9, 0.975, 0.9995])
def test_student_quantile(p: float, df: float) -> None:
    assert student_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("t", [0.0, 0.3, -2.1, 12.0])
@pytest.mark.parametrize("df", [1, 3, 50, 100_000])
def test_student_tail(t: float, df: float) -> None:
    assert student_two_sided(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-8)


@pytest.mark.parametrize(("heads", "tosses"), [(0, 1), (3, 10), (5, 10), (10, 10), (480, 1000)])
def test_fair_coin_tail(heads: int, tosses: int) -> None:
    expected = stats.binom.cdf(heads, tosses, 0.5)
    assert fair_coin_tail(heads, tosses) == pytest.approx(expected, rel=1e-9)


def test_fair_coin_tail_of_a_huge_count() -> None:
    expected = stats.binom.cdf(49_800, 100_000, 0.5)
    assert fair_coin_tail(49_800, 100_000) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("x", "a", "b"), [(0.0, 2, 3), (1.0, 2, 3), (0.9, 0.5, 40), (0.1, 30, 2)])
def test_beta_cdf(x: float, a: float, b: float) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-9)


def test_normal_quantile() -> None:
    assert normal_quantile(0.975) == pytest.approx(stats.norm.ppf(0.975), rel=1e-12)

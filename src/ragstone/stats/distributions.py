"""Quantiles and tails of the normal, Student and binomial distributions, without scipy."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

__all__ = [
    "beta_cdf",
    "fair_coin_tail",
    "normal_cdf",
    "normal_quantile",
    "student_quantile",
    "student_two_sided",
]

_NORMAL = NormalDist()
_TINY = 1e-300
_PRECISION = 1e-15


def normal_quantile(p: float) -> float:
    """Return the standard normal quantile of p, 0 < p < 1."""
    return _NORMAL.inv_cdf(p)


def normal_cdf(x: float) -> float:
    """Return the probability that a standard normal variable is at most x."""
    return _NORMAL.cdf(x)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b) for a, b > 0.

    Source: DLMF 8.17.22, the continued fraction, evaluated by Lentz's method.
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only on this side
        return 1.0 - beta_cdf(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) / (a * _beta_fraction(x, a, b))


def _beta_fraction(x: float, a: float, b: float) -> float:
    fraction = upper = 1.0
    lower = 0.0
    for step in range(1, 100_000):
        half, odd = divmod(step, 2)
        if odd:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        else:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        lower = 1.0 / ((1.0 + term * lower) or _TINY)
        upper = (1.0 + term / upper) or _TINY
        change = upper * lower
        fraction *= change
        if abs(change - 1.0) < _PRECISION:
            break
    return fraction


def student_two_sided(t: float, df: float) -> float:
    """Return the probability that a Student variable lies at least |t| away from 0."""
    return beta_cdf(df / (df + t * t), df / 2, 0.5)


@lru_cache(maxsize=1024)
def student_quantile(p: float, df: float) -> float:
    """Return Student's quantile of p, 0 < p < 1, for any df > 0 (also a broken number)."""
    if p < 0.5:
        return -student_quantile(1 - p, df)
    target = 2 * (1 - p)
    low, high = 0.0, 1.0
    while student_two_sided(high, df) > target:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        if student_two_sided(middle, df) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def fair_coin_tail(heads: int, tosses: int) -> float:
    """Return the probability of at most that many heads in tosses of a fair coin."""
    if heads >= tosses:
        return 1.0
    return beta_cdf(0.5, tosses - heads, heads + 1)

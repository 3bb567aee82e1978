"""Rates, single and paired: Wilson's and Newcombe's intervals, McNemar's test, Cohen's g."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ragstone.stats.distributions import fair_coin_tail, normal_quantile
from ragstone.stats.values import Floats

__all__ = ["PairedRates", "cohen_g", "mcnemar", "newcombe_ends", "wilson_ends"]


@dataclass(frozen=True, slots=True)
class PairedRates:
    """The two-by-two table of matched rows: how many are 1 in both, in one, in neither."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @classmethod
    def count(cls, a: Floats, b: Floats) -> PairedRates:
        """Return the table of two aligned rows of zeros and ones."""
        both, only_a = int(np.sum((a == 1) & (b == 1))), int(np.sum((a == 1) & (b == 0)))
        only_b = int(np.sum((a == 0) & (b == 1)))
        return cls(both, only_a, only_b, len(a) - both - only_a - only_b)

    @property
    def n(self) -> int:
        """The number of matched rows."""
        return self.both + self.only_a + self.only_b + self.neither


def wilson_ends(rate: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval of a rate seen on n rows, z being the normal quantile.

    Source: Wilson 1927, Probable inference, the law of succession, and statistical inference.
    """
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def newcombe_ends(table: PairedRates, level: float) -> tuple[float, float]:
    """Return the interval of rate b minus rate a on matched rows, within -1 to 1.

    Wilson's intervals of both rates, joined with the correlation of the pairs; it never
    collapses to a point, also when no row differs.
    Source: Newcombe 1998, Improved confidence intervals for the difference between binomial
    proportions based on paired data, method 10.
    """
    n, z = table.n, normal_quantile((1 + level) / 2)
    a, b = (table.both + table.only_a) / n, (table.both + table.only_b) / n
    low_a, high_a = wilson_ends(a, n, z)
    low_b, high_b = wilson_ends(b, n, z)
    phi = _correlation(table)
    down = _joined(b - low_b, high_a - a, phi)
    up = _joined(high_b - b, a - low_a, phi)
    return max(-1.0, b - a - down), min(1.0, b - a + up)


def _joined(first: float, second: float, phi: float) -> float:
    return math.sqrt(max(0.0, first**2 - 2 * phi * first * second + second**2))


def _correlation(table: PairedRates) -> float:
    """Return phi of the pairs, corrected for continuity where positive, 0 at a margin of 0."""
    ones_a, ones_b = table.both + table.only_a, table.both + table.only_b
    margins = ones_a * (table.n - ones_a) * ones_b * (table.n - ones_b)
    if margins == 0:
        return 0.0
    product = float(table.both * table.neither - table.only_a * table.only_b)
    if product > 0:
        product = max(product - table.n / 2, 0.0)
    return product / math.sqrt(margins)


def mcnemar(table: PairedRates) -> float:
    """Return the exact two-sided p-value: rows that differ are as often better as worse.

    Source: McNemar 1947; the exact binomial form.
    """
    discordant = table.only_a + table.only_b
    tail = fair_coin_tail(min(table.only_a, table.only_b), discordant)
    return min(1.0, 2 * tail)


def cohen_g(table: PairedRates) -> float | None:
    """Return the share of b among the rows that differ, minus a half: -0.5 to 0.5.

    None when no row differs. Unlike the odds ratio of the same counts it is always finite,
    and its sign is the direction. Cohen calls 0.05 small, 0.15 medium, 0.25 large.
    Source: Cohen 1988, Statistical power analysis, chapter 5.
    """
    discordant = table.only_a + table.only_b
    return table.only_b / discordant - 0.5 if discordant else None

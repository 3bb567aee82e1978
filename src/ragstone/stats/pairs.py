"""Matched rows of two runs, checked once, and the interval of their mean difference."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from ragstone.errors import UsageError
from ragstone.stats.intervals import Interval, constant_interval, numeric_interval
from ragstone.stats.rates import PairedRates, newcombe_ends
from ragstone.stats.values import (
    ROUNDING,
    Floats,
    Groups,
    Values,
    checked_bounds,
    checked_groups,
    checked_values,
    is_binary,
    spread,
)

__all__ = ["PairedData", "Pairs", "difference_interval"]


@dataclass(frozen=True, slots=True)
class PairedData:
    """The scores of one metric in runs a (before) and b (after), row by row.

    bounds is the range of the metric; groups names the conversation, document or user that
    a row belongs to, where rows are not independent.
    """

    a: Values
    b: Values
    higher_is_better: bool = True
    groups: Groups | None = None
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Pairs:
    """Checked pairs: a, b, their differences, and the group of every row."""

    a: Floats
    b: Floats
    groups: list[Hashable] | None
    bounds: tuple[float, float] | None

    @classmethod
    def check(cls, data: PairedData) -> Pairs:
        """Return the checked pairs; raises UsageError naming the row that is wrong."""
        a, b = checked_values(data.a, "a"), checked_values(data.b, "b")
        if len(a) != len(b):
            raise UsageError(f"a has {len(a)} rows and b has {len(b)}; match the rows first.")
        bounds = checked_bounds(data.bounds, a, "a")
        checked_bounds(data.bounds, b, "b")
        return cls(a, b, checked_groups(data.groups, len(a)), bounds)

    @property
    def differences(self) -> Floats:
        """The change of every row, b minus a; rounding noise of the scores counts as 0."""
        change = self.b - self.a
        noise = ROUNDING * np.maximum(np.abs(self.a), np.abs(self.b))
        return np.where(np.abs(change) <= noise, 0.0, change)

    @property
    def table(self) -> PairedRates | None:
        """The two-by-two table where both sides are rates."""
        if is_binary(self.a) and is_binary(self.b):
            return PairedRates.count(self.a, self.b)
        return None


def difference_interval(pairs: Pairs, *, level: float, seed: int = 0) -> Interval | None:
    """Return the interval of the mean of b minus a, or None where the rows cannot give one.

    Newcombe's for rates, cluster-robust t with groups, else the bootstrap. Rows that all
    differ by the same amount leave open what the range of the metric allows.
    """
    differences, table = pairs.differences, pairs.table
    if len(differences) < 2:
        return None
    if table is not None and pairs.groups is None:
        return Interval(*newcombe_ends(table, level), level, "newcombe")
    widest = _widest_difference(pairs)
    if spread(differences) == 0:
        units = len(differences) if pairs.groups is None else len(set(pairs.groups))
        return constant_interval(float(differences[0]), units, level, widest) if units > 1 else None
    found = numeric_interval(differences, pairs.groups, level=level, seed=seed)
    if found is None or widest is None:
        return found
    return replace(found, low=max(found.low, widest[0]), high=min(found.high, widest[1]))


def _widest_difference(pairs: Pairs) -> tuple[float, float] | None:
    if pairs.bounds is None and pairs.table is None:
        return None
    low, high = pairs.bounds or (0.0, 1.0)
    return low - high, high - low

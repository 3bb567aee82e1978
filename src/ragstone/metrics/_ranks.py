"""Sums over ranked lists."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

__all__ = ["average_precision", "discounted_gain", "reciprocal_rank"]


def average_precision(relevant: Sequence[bool]) -> float:
    """Mean of precision@k over the ranks k that hold something relevant; 0.0 when none does.

    Exact: a perfect ranking gives 1.0.
    """
    hits, total = 0, 0.0
    for rank, is_relevant in enumerate(relevant, start=1):
        if is_relevant:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def reciprocal_rank(relevant: Sequence[bool]) -> float:
    """1 over the first rank that holds something relevant; 0.0 when none does."""
    return next((1 / rank for rank, hit in enumerate(relevant, start=1) if hit), 0.0)


def discounted_gain(grades: Iterable[float]) -> float:
    """Sum of the grades, each divided by log2(rank + 1)."""
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))

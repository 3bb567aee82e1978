"""Sums over ranked lists."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["average_precision"]


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

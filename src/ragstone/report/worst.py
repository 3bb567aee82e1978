"""Which rows scored worst."""

from __future__ import annotations

import math

from ragstone.schema.cells import CellKey
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import MetricInfo
from ragstone.stats.runs import number

__all__ = ["row_score", "share_of_range", "worst_rows"]


def share_of_range(value: float | None, info: MetricInfo) -> float | None:
    """Where a value lies in the range of its metric, 0 worst to 1 best; None without a range."""
    if value is None or info.low is None or info.high is None:
        return None
    if not (math.isfinite(info.low) and math.isfinite(info.high) and info.low < info.high):
        return None
    share = min(1.0, max(0.0, (value - info.low) / (info.high - info.low)))
    return share if info.higher_is_better else 1.0 - share


def row_score(data: RunData, row: int) -> float | None:
    """The mean of a row's values on the ranges of their metrics, 0 worst to 1 best.

    None for a row without any such value.
    """
    cells = ((data.by_key.get(CellKey(row, info.key)), info) for info in data.run.metrics)
    shares = [share_of_range(number(cell), info) for cell, info in cells]
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def worst_rows(data: RunData) -> list[int]:
    """The rows below a perfect score, the worst first; equal ones in their order."""
    scores = {row: row_score(data, row) for row in range(len(data.samples))}
    below = {row: score for row, score in scores.items() if score is not None and score < 1}
    return sorted(below, key=lambda row: below[row])

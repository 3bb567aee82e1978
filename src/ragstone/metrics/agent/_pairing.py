"""Which call made stands for which reference call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Pair", "Scores", "best_pairs", "pairs_in_order"]

Scores = Sequence[Sequence[float | None]]
"""Row by row the scores of one item with those of the other side, None where they cannot pair."""

Pair = tuple[int, int]
"""The positions of a row and a column."""


def pairs_in_order(scores: Scores) -> list[Pair]:
    """The most pairs that come in one order on both sides; of those the ones that score highest."""
    width = len(scores[0]) if scores else 0
    best = [[(0, 0.0)] * (width + 1) for _ in range(len(scores) + 1)]
    for i, row in enumerate(scores):
        for j, score in enumerate(row):
            apart = max(best[i][j + 1], best[i + 1][j])
            count, total = best[i][j]
            best[i + 1][j + 1] = apart if score is None else max(apart, (count + 1, total + score))
    pairs: list[Pair] = []
    i, j = len(scores), width
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def best_pairs(scores: Scores) -> list[Pair]:
    """The most pairs in any order; of those the ones whose scores have the largest sum.

    Rows that can pair with one column must be able to pair with the same columns, as calls of one
    name are.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, row in enumerate(scores):
        columns = tuple(j for j, score in enumerate(row) if score is not None)
        if columns:
            groups.setdefault(columns, []).append(i)
    pairs: list[Pair] = []
    for columns, rows in groups.items():
        table = np.array([[scores[i][j] for j in columns] for i in rows], dtype=float)
        pairs += [(rows[i], columns[j]) for i, j in _assigned(table)]
    return sorted(pairs)


def _assigned(scores: NDArray[np.float64]) -> list[Pair]:
    """The pairs of rows and columns with the largest sum of scores (the Hungarian method)."""
    if len(scores) > scores.shape[1]:
        return [(i, j) for j, i in _assigned(scores.T)]
    cost = -scores
    height, width = cost.shape
    of_row, of_column = np.zeros(height), np.zeros(width + 1)
    owner = np.full(width + 1, -1)  # the row of each column; the last column stands for the start
    for row in range(height):
        owner[width] = row
        nearest, before = np.full(width, np.inf), np.full(width, width)
        seen = np.zeros(width + 1, dtype=bool)
        column = width
        while owner[column] >= 0:
            seen[column] = True
            open_columns = ~seen[:width]
            reduced = cost[owner[column]] - of_row[owner[column]] - of_column[:width]
            closer = open_columns & (reduced < nearest)
            nearest[closer], before[closer] = reduced[closer], column
            following = int(np.argmin(np.where(open_columns, nearest, np.inf)))
            step = nearest[following]
            of_row[owner[seen]] += step
            of_column[seen] -= step
            nearest[open_columns] -= step
            column = following
        while column != width:
            owner[column], column = owner[before[column]], int(before[column])
    return [(int(row), column) for column, row in enumerate(owner[:width]) if row >= 0]

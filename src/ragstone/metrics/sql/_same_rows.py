"""Whether two results hold the same rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from ragstone.metrics.sql._database import Rows

__all__ = ["aligned", "only_in", "same_rows"]

Row = Sequence[Any]


def aligned(ours: Rows, theirs: Rows) -> Sequence[Row]:
    """Our rows with the columns in the order of theirs, when both have the same different names."""
    mine, wanted = ([name.lower() for name in each.columns] for each in (ours, theirs))
    if mine == wanted or sorted(mine) != sorted(wanted) or len(set(mine)) < len(mine):
        return ours.rows
    places = [mine.index(name) for name in wanted]
    return [[row[place] for place in places] for row in ours.rows]


def same_rows(ours: Sequence[Row], theirs: Sequence[Row], *, ordered: bool) -> bool:
    """Whether the rows are the same, each as often, and in one order if that matters.

    Numbers are equal when they are within a billionth of each other, whatever their type.
    """
    if not ordered:
        ours, theirs = sorted(ours, key=_key), sorted(theirs, key=_key)
    return len(ours) == len(theirs) and all(map(_same_row, ours, theirs))


def only_in(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """The rows that the others lack, or hold less often."""
    left = Counter(map(_key, others))
    found = []
    for row in rows:
        key = _key(row)
        left[key] -= 1
        if left[key] < 0:
            found.append(row)
    return found


def _same_row(ours: Row, theirs: Row) -> bool:
    return len(ours) == len(theirs) and all(map(_same, ours, theirs))


def _same(first: Any, second: Any) -> bool:
    if _number(first) and _number(second) and not (_whole(first) and _whole(second)):
        one, two = float(first), float(second)
        both_odd = math.isnan(one) and math.isnan(two)
        return both_odd or math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-10)
    return _cell(first) == _cell(second)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal))


def _whole(value: Any) -> bool:
    return isinstance(value, int)


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(_cell(value) for value in row)


def _cell(value: Any) -> tuple[int, Any]:
    """A value that can be sorted among values of all kinds."""
    if value is None:
        return 0, ""
    if isinstance(value, int):
        return 1, int(value)
    if isinstance(value, (float, Decimal)):
        rounded = float(f"{value:.9g}")
        return (2, "") if math.isnan(rounded) else (1, rounded)
    if isinstance(value, str):
        return 3, value
    return 4, bytes(value).hex() if isinstance(value, (bytes, memoryview)) else repr(value)

"""Writing what may not be storable: such a cell is stored as failed, and its batch goes on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ragstone.errors import UsageError
from ragstone.schema.cells import Cell
from ragstone.schema.plain import shown
from ragstone.schema.results import MetricResult
from ragstone.schema.usage import Usage
from ragstone.store.rows import cell_row

__all__ = ["storable_row"]

_LARGEST_INTEGER = 2**63 - 1
_COUNTS = ("calls", "cached_calls", "input_tokens", "output_tokens")
_AMOUNTS = ("seconds", "cost")


def storable_row(number: int, position: int, cell: Cell) -> dict[str, Any]:
    """The row of a cell, or of a failed cell in its place, with the code "not_storable".

    The error names the part that no database holds. What the cell cost is kept if that can be.
    """
    try:
        return _checked_row(number, position, cell)
    except (UsageError, TypeError, AttributeError, RecursionError) as error:
        failed = MetricResult.failed(f"cannot be stored: {error}", code="not_storable")
    bare = replace(cell, result=failed, calls=())
    try:
        return _checked_row(number, position, bare)
    except (UsageError, TypeError, AttributeError):
        return cell_row(number, position, replace(bare, usage=Usage(cost=None), seconds=0.0))


def _checked_row(number: int, position: int, cell: Cell) -> dict[str, Any]:
    row = cell_row(number, position, cell)
    for name in _COUNTS:
        if not isinstance(row[name], int) or not 0 <= row[name] <= _LARGEST_INTEGER:
            raise UsageError(f"{name} must be a whole number of 64 bits, not {shown(row[name])}")
    for name in _AMOUNTS:
        amount = row[name]
        if name == "cost" and amount is None:
            continue
        if not isinstance(amount, (int, float)) or not math.isfinite(amount):
            raise UsageError(f"{name} must be a finite number, not {shown(amount)}")
    if not isinstance(row["estimated"], bool):
        raise UsageError(f"estimated must be True or False, not {shown(row['estimated'])}")
    return row

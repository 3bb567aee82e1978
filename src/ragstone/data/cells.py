"""Samples as the columns of a table, so that every cell reads back as the value that it was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from ragstone.data.columns import FIELDS, JSON_MARK, METADATA
from ragstone.data.fields import field_value
from ragstone.data.rows import checked, values_of
from ragstone.schema.samples import Sample

__all__ = ["header", "reads_back", "text_cell", "text_columns"]


def text_columns(samples: Sequence[Sample]) -> dict[str, bool]:
    """Every column in order, and whether its cells must be marked as JSON.

    A column stays plain when each of its values, written as plain text, reads back as the same
    value. Otherwise (an empty text beside missing ones, a number, ...) all its cells are JSON and
    its name says so.
    """
    marked: dict[str, bool] = {}
    for row in checked(samples, values_of):
        for column, value in row.items():
            if not marked.get(column):
                marked[column] = not reads_back(column, text_cell(value), value)
    return {column: marked[column] for column in _ordered(marked)} or {"user_input": False}


def _ordered(columns: Iterable[str]) -> list[str]:
    found = list(columns)
    return [f for f in FIELDS if f in found] + [c for c in found if c not in FIELDS]


def header(column: str, marked: bool) -> str:
    """The name of a column as it is written."""
    return column + JSON_MARK if marked else column


def text_cell(value: Any, marked: bool = False) -> str:
    """A value as text: text as it is, all else as JSON; nothing for None. Marked: all as JSON."""
    if value is None:
        return ""
    if isinstance(value, str) and not marked:
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def reads_back(column: str, cell: Any, value: Any) -> bool:
    """Whether an unmarked cell of that column is read as that value."""
    if cell == "":
        return False
    if column not in FIELDS and column != METADATA:
        return bool(cell == value)
    try:
        return bool(field_value(column, cell) == value)
    except ValueError:
        return False

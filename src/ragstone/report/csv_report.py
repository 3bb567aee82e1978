"""A run as CSV for a spreadsheet: one line a row, with scores, states and reasons."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from ragstone.report.plaintext import visible
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.messages import conversation_text
from ragstone.schema.rundata import RunData
from ragstone.schema.samples import MultiTurnSample, Sample

__all__ = ["csv_report"]

_FORMULA = ("=", "+", "-", "@", "\t")


def csv_report(data: RunData) -> str:
    """The rows in order: number (from 1), fields, and each metric's value, status, cause, reason.

    A text that a spreadsheet would run as a formula gets an apostrophe in front; the exact texts
    are in the JSON report.
    """
    fields = list(dict.fromkeys(name for sample in data.samples for name in sample.to_dict()))
    keys = [info.key for info in data.run.metrics]
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["row", *map(_cell, fields), *(name for key in keys for name in _names(key))])
    for row, sample in enumerate(data.samples):
        values = _values(sample)
        scores = (data.by_key.get(CellKey(row, key)) for key in keys)
        table.writerow(
            [
                row + 1,
                *(_cell(values.get(field)) for field in fields),
                *(part for cell in scores for part in _parts(cell)),
            ]
        )
    return file.getvalue()


def _values(sample: Sample) -> dict[str, Any]:
    values = sample.to_dict()
    if isinstance(sample, MultiTurnSample):
        values["user_input"] = conversation_text(sample.user_input)
    return values


def _names(key: str) -> Iterator[str]:
    yield _text(key)
    yield from (_text(f"{key} {part}") for part in ("status", "cause", "reason"))


def _parts(cell: Cell | None) -> Iterator[Any]:
    if cell is None:
        yield from ("", "not measured", "", "")
        return
    result = cell.result
    yield _cell(result.value)
    yield result.status
    yield _text(result.error or result.code or "")
    yield _text(result.reason or "")


def _cell(value: Any) -> Any:
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, str):
        return _text(value)
    return _text(json.dumps(value, ensure_ascii=False, default=str))


def _text(value: str) -> str:
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) else text

"""A run as JSON for programs: everything that is known, in a form with a version."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.rundata import RunData
from ragstone.stats.runs import MetricLine, RunSummary, summarize_run

__all__ = ["FORMAT_VERSION", "json_report"]

FORMAT_VERSION = 1


def json_report(data: RunData) -> str:
    """The run, the summary of its metrics, and every row with its sample and results.

    `row` counts from 1, as every report and `ragstone show` do. A row that was not measured has
    null in the place of a result. Numbers that JSON lacks are null; single surrogates are escaped.
    """
    report = {
        "format": "ragstone-report",
        "version": FORMAT_VERSION,
        "run": data.run,
        "usage": data.usage,
        "summary": _summary(summarize_run(data)),
        "rows": list(_rows(data)),
    }
    try:
        text = to_json(report, inf_nan_mode="null", fallback=str, indent=1).decode()
    except PydanticSerializationError:  # single surrogates, which UTF-8 lacks
        text = json.dumps(_plain(report), allow_nan=False, indent=1)
    return f"{text}\n"


def _plain(value: Any) -> Any:
    """What the usual writer makes of a value, with its strings as they are."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return to_jsonable_python(value, inf_nan_mode="null", fallback=str)


def _summary(summary: RunSummary) -> dict[str, Any]:
    return {"overall": summary.overall, "metrics": [_line(line) for line in summary.lines]}


def _line(line: MetricLine) -> dict[str, Any]:
    parts = {field.name: getattr(line, field.name) for field in dataclasses.fields(line)}
    return {"key": parts.pop("info").key, **parts, "coverage": line.coverage}


def _rows(data: RunData) -> Iterator[dict[str, Any]]:
    for row, sample in enumerate(data.samples):
        cells = {info.key: data.by_key.get(CellKey(row, info.key)) for info in data.run.metrics}
        yield {
            "row": row + 1,
            "sample": sample.model_dump(mode="python", exclude_none=True),
            "results": {key: cell and _cell(cell) for key, cell in cells.items()},
        }


def _cell(cell: Cell) -> dict[str, Any]:
    result = cell.result
    return {
        "status": result.status,
        "value": result.value,
        "code": result.code,
        "error": result.error,
        "reason": result.reason,
        "evidence": result.evidence,
        "usage": cell.usage,
        "seconds": cell.seconds,
        "calls": cell.calls,
    }

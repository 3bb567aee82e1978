"""Runs, samples and cells as rows of the tables, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from ragstone.errors import UsageError
from ragstone.schema.cells import Cell
from ragstone.schema.results import Evidence, MetricResult, Span, Value
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample
from ragstone.schema.usage import Call, Usage
from ragstone.store.jsontext import dumps, loads

__all__ = [
    "cell_from",
    "cell_row",
    "metric_from",
    "metric_rows",
    "run_from",
    "run_row",
    "sample_from",
    "sample_text",
]


def run_row(run: Run) -> dict[str, Any]:
    """The row of a run, without its number and its metrics."""
    judge = run.judge
    return {
        "id": run.id,
        "name": run.name,
        "created": run.created,
        "state": run.state,
        "stopped_by": run.stopped_by,
        "finished": run.finished,
        "seconds": run.seconds,
        "n_rows": run.n_rows,
        "data_hash": run.data_hash,
        "dataset": run.dataset,
        "judge_kind": judge.kind if judge else None,
        "judge_name": judge.name if judge else None,
        "git": run.git,
        "group_by": run.group_by,
        "detail": dumps(
            {
                "judge_settings": judge.settings if judge else {},
                "embedder": run.embedder,
                "versions": run.versions,
                "left_out": run.left_out,
                "metadata": run.metadata,
            }
        ),
    }


def run_from(row: Row[Any], metrics: Sequence[MetricInfo]) -> Run:
    """The run of a row."""
    detail = loads(row.detail)
    embedder = detail["embedder"]
    judge = None
    if row.judge_kind is not None:
        judge = JudgeInfo(row.judge_kind, row.judge_name, detail["judge_settings"])
    return Run(
        id=row.id,
        name=row.name,
        created=row.created,
        metrics=tuple(metrics),
        n_rows=row.n_rows,
        data_hash=row.data_hash,
        judge=judge,
        embedder=JudgeInfo(**embedder) if embedder else None,
        dataset=row.dataset,
        state=row.state,
        stopped_by=row.stopped_by,
        finished=row.finished,
        seconds=row.seconds,
        versions=detail["versions"],
        git=row.git,
        group_by=row.group_by,
        left_out=detail["left_out"],
        metadata=detail["metadata"],
    )


def metric_rows(number: int, metrics: Sequence[MetricInfo]) -> list[dict[str, Any]]:
    """The rows of the metrics of the run of that number."""
    return [
        {
            "run": number,
            "position": position,
            "key": info.key,
            "low": info.low,
            "high": info.high,
            "higher_is_better": info.higher_is_better,
            "detail": dumps(
                {"spec": info.spec, "prompts": info.prompts, "defined_in": info.defined_in}
            ),
        }
        for position, info in enumerate(metrics)
    ]


def metric_from(row: Row[Any]) -> MetricInfo:
    """The metric of a row."""
    detail = loads(row.detail)
    return MetricInfo(
        key=row.key,
        spec=detail["spec"],
        low=row.low,
        high=row.high,
        higher_is_better=row.higher_is_better,
        prompts=tuple(detail["prompts"]),
        defined_in=detail.get("defined_in", ""),
    )


def sample_text(sample: Sample) -> str:
    """The sample as JSON, without the fields that hold nothing."""
    empty = {field for field in type(sample).model_fields if getattr(sample, field) is None}
    return dumps(sample.model_dump(exclude=empty))


def sample_from(text: str) -> Sample:
    """The sample of a JSON text; only a conversation has a list as its user input."""
    data = loads(text)
    kind = MultiTurnSample if isinstance(data.get("user_input"), list) else SingleTurnSample
    return kind.model_validate(data)


def cell_row(number: int, position: int, cell: Cell) -> dict[str, Any]:
    """The row of a cell of the run of that number and the metric at that position."""
    result, usage = cell.result, cell.usage
    return {
        "run": number,
        "row": cell.row,
        "metric": position,
        "status": result.status,
        "code": result.code,
        "value_number": _number(result.value),
        "value_text": result.value if isinstance(result.value, str) else None,
        "seconds": cell.seconds,
        "calls": usage.calls,
        "cached_calls": usage.cached_calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost": usage.cost,
        "estimated": usage.estimated,
        "detail": _cell_detail(cell),
    }


def _number(value: Value) -> float | None:
    if not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:  # an integer beyond every float: it stands in the JSON alone
        return None


def _cell_detail(cell: Cell) -> str | None:
    result = cell.result
    detail = {
        # a float or a string has its own column; the others stand here with their exact type
        "value": None if isinstance(result.value, float | str) else result.value,
        "reason": result.reason,
        "error": result.error,
        "evidence": result.evidence or None,
        "traces": result.traces,
        "calls": cell.calls or None,
    }
    filled = {name: part for name, part in detail.items() if part is not None}
    try:
        return dumps(filled) if filled else None
    except UsageError:
        for name, part in filled.items():
            _name_the_bad_part(name, part)
        raise


def _name_the_bad_part(name: str, part: Any) -> None:
    try:
        dumps(part)
    except UsageError as error:
        raise UsageError(f"in {name}, {error}") from error


def cell_from(row: Row[Any], key: str) -> Cell:
    """The cell of a row; `key` is the key of its metric."""
    detail = loads(row.detail) if row.detail is not None else {}
    stored = row.value_number if row.value_number is not None else row.value_text
    result = MetricResult(
        value=detail.get("value", stored),
        reason=detail.get("reason"),
        status=row.status,
        code=row.code,
        error=detail.get("error"),
        evidence=tuple(_evidence(**part) for part in detail.get("evidence", ())),
        traces=detail.get("traces"),
    )
    usage = Usage(
        row.calls, row.cached_calls, row.input_tokens, row.output_tokens, row.cost, row.estimated
    )
    calls = tuple(_call(**part) for part in detail.get("calls", ()))
    return Cell(row.row, key, result, usage, row.seconds, calls)


def _evidence(spans: list[dict[str, Any]], **rest: Any) -> Evidence:
    return Evidence(spans=tuple(Span(**span) for span in spans), **rest)


def _call(usage: dict[str, Any], **rest: Any) -> Call:
    return Call(usage=Usage(**usage), **rest)

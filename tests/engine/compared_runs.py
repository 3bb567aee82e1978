"""Small finished runs to compare and to hold against a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ragstone.schema.cells import Cell
from ragstone.schema.results import MetricResult
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run
from ragstone.schema.samples import SingleTurnSample

Score = float | str | None  # None: unscored

PROMPT = {"id": "claims/extract", "version": "1", "hash": "abc", "language": "en"}


def info(key: str, **changes: Any) -> MetricInfo:
    spec = {key.partition("(")[0]: {}}
    judged = key.startswith(("faithfulness", "aspect", "accuracy"))
    values: dict[str, Any] = {"prompts": (PROMPT,) if judged else ()}
    return MetricInfo(key, changes.pop("spec", spec), **(values | changes))


def labels_info(key: str = "accuracy", allowed: Sequence[str] = ("pass", "fail")) -> MetricInfo:
    parameters = {"name": key, "prompt": "Is {response} right?", "allowed_values": list(allowed)}
    return info(key, spec={"discrete_metric": parameters}, low=None, high=None)


def sample(row: int, **changes: Any) -> SingleTurnSample:
    values = {"user_input": f"question {row}", "response": "answer", "reference": f"truth {row}"}
    return SingleTurnSample(**(values | changes))


def run_data(
    columns: Mapping[str, Sequence[Score]],
    *,
    samples: Sequence[SingleTurnSample] | None = None,
    infos: Sequence[MetricInfo] = (),
    judge: str = "openai/gpt-4o-mini",
    **changes: Any,
) -> RunData:
    """A run with these scores by metric; a missing score is unscored(refusal)."""
    n_rows = len(next(iter(columns.values())))
    known = {one.key: one for one in infos}
    values: dict[str, Any] = {
        "id": "abc123",
        "name": "run",
        "created": datetime(2026, 1, 2, tzinfo=UTC),
        "metrics": tuple(known.get(key) or info(key) for key in columns),
        "n_rows": n_rows,
        "data_hash": "h",
        "judge": JudgeInfo("llm", judge, {"temperature": 0.0}),
        "state": "done",
    }
    cells = [
        Cell(
            row, key, MetricResult(score) if score is not None else MetricResult.unscored("refusal")
        )
        for key, scores in columns.items()
        for row, score in enumerate(scores)
    ]
    rows = samples if samples is not None else [sample(row) for row in range(n_rows)]
    return RunData(Run(**(values | changes)), rows, cells)

"""Small runs, samples and cells to fill a store with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ragstone.schema.cells import Cell
from ragstone.schema.results import MetricResult
from ragstone.schema.runs import MetricInfo, Run
from ragstone.schema.samples import SingleTurnSample

START = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def make_run(run_id: str = "run-1", n_rows: int = 3, **changes: object) -> Run:
    values: dict[str, object] = {
        "id": run_id,
        "name": f"name of {run_id}",
        "created": START,
        # not in the order of the alphabet, so that their own order shows
        "metrics": tuple(
            MetricInfo(key, {key: {}}) for key in ("faithfulness", "answer_relevancy", "bleu")
        ),
        "n_rows": n_rows,
        "data_hash": "abc",
    }
    return Run(**(values | changes))


def make_samples(n: int = 3) -> list[SingleTurnSample]:
    return [SingleTurnSample(id=str(row), user_input=f"question {row}") for row in range(n)]


def make_cell(row: int = 0, metric: str = "faithfulness", value: float = 0.5) -> Cell:
    return Cell(row, metric, MetricResult(value=value))


def later(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)

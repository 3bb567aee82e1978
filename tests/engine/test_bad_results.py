"""A metric that returns nonsense on some rows loses those cells, not the run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragstone.metrics.base import Metric
from ragstone.schema.results import Evidence, MetricResult
from ragstone.store import open_store
from scripted import quiet, rows

BAD: list[Any] = [
    lambda: MetricResult(0.5, evidence=["quote"]),
    lambda: MetricResult(0.5, evidence=(Evidence("a", "b", spans=((1, 2),)),)),
    lambda: MetricResult(0.5, traces={"a": object()}),
    lambda: 10**400,
    lambda: 1e200,
]


@dataclass(frozen=True, kw_only=True)
class Careless(Metric):
    name: str = "careless"
    low = None
    high = None

    def measure(self, user_input: str) -> Any:
        row = int("".join(filter(str.isdigit, user_input)) or 0)
        return BAD[row]() if row < len(BAD) else 0.75


def test_each_bad_result_is_one_failed_cell(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    result = quiet(rows(8), [Careless()], store=url)
    assert result["careless"] == [None] * 5 + [0.75] * 3
    with open_store(url) as store:
        cells = list(store.cells(result.run_id))
    assert [cell.result.status for cell in cells] == ["failed"] * 5 + ["scored"] * 3
    parts = ["evidence[0]", "spans of Evidence[0]", "traces['a']", "a score", "a score"]
    for cell, part in zip(cells, parts, strict=False):
        assert str(cell.result.error).startswith(f"UsageError: {part} must be")

"""A cell: one metric on one sample, the smallest durable piece of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ragstone.schema.results import MetricResult
from ragstone.schema.usage import Call, Usage

__all__ = ["Cell", "CellKey"]


class CellKey(NamedTuple):
    """Where a cell stands: row number from 0, and the key of the metric."""

    row: int
    metric: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of one metric on one row, with what it took.

    `metric` is the key (name and configuration), `seconds` the wall time of the measurement,
    `calls` the judge's questions and answers.
    """

    row: int
    metric: str
    result: MetricResult
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    calls: tuple[Call, ...] = ()

    @property
    def key(self) -> CellKey:
        """Row and metric."""
        return CellKey(self.row, self.metric)

    @property
    def finished(self) -> bool:
        """Whether a resumed run leaves this cell out: scored or honestly unscored, not failed."""
        return self.result.status != "failed"

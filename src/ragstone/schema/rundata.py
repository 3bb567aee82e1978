"""A run with all that it produced, as reports and comparisons read it."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.runs import MetricInfo, Run
from ragstone.schema.samples import Sample
from ragstone.schema.usage import Usage

__all__ = ["RunData"]


@dataclass(frozen=True)
class RunData:
    """A run, its samples in order, and its cells. A cell may be missing when the run stopped."""

    run: Run
    samples: Sequence[Sample]
    cells: Sequence[Cell] = field(repr=False)

    @cached_property
    def by_key(self) -> Mapping[CellKey, Cell]:
        """The cells by row and metric."""
        return {cell.key: cell for cell in self.cells}

    def column(self, metric: str) -> list[Cell | None]:
        """The cells of one metric in row order, None where a row was not measured."""
        return [self.by_key.get(CellKey(row, metric)) for row in range(self.run.n_rows)]

    def info(self, metric: str) -> MetricInfo:
        """The metric with that key."""
        return next(info for info in self.run.metrics if info.key == metric)

    @property
    def usage(self) -> Usage:
        """What the whole run took."""
        return Usage.total(cell.usage for cell in self.cells)

    @property
    def groups(self) -> list[Hashable] | None:
        """The group of every row when the run names a group column, else None.

        A row without a value in that column, or with NaN there, is a group of its own.
        """
        if self.run.group_by is None:
            return None
        values = [sample.value(self.run.group_by) for sample in self.samples]
        return [("row", n) if _is_missing(value) else str(value) for n, value in enumerate(values)]


def _is_missing(value: object) -> bool:
    if isinstance(value, numbers.Integral):  # always finite, and maybe too large for a float
        return False
    return value is None or (isinstance(value, numbers.Real) and not math.isfinite(value))

"""From the cells of a run to one line a metric: mean, interval, coverage, and what has no score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from ragstone.schema.cells import Cell
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import MetricInfo
from ragstone.stats.overall import MetricScores, OverallScore, overall_score
from ragstone.stats.summary import MetricSummary, summarize

__all__ = ["MetricLine", "RunSummary", "number", "summarize_run"]


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One metric of a run.

    `summary` is of the values when they are numbers; for categories it is None and `shares` holds
    the share of each label among the scored rows, as a rate with its interval. `unscored` and
    `failed` count the reasons (codes, errors); `pending` rows were not measured.
    """

    info: MetricInfo
    n_total: int
    n_scored: int
    summary: MetricSummary | None
    shares: Mapping[str, MetricSummary]
    unscored: Mapping[str, int]
    failed: Mapping[str, int]
    pending: int

    @property
    def coverage(self) -> float:
        """Share of all rows that have a score, 0 to 1."""
        return self.n_scored / self.n_total if self.n_total else 0.0


@dataclass(frozen=True, slots=True)
class RunSummary:
    """All metrics of a run, and the overall score over those that are numbers."""

    lines: tuple[MetricLine, ...]
    overall: OverallScore


def number(cell: Cell | None) -> float | None:
    """The value of a cell as a number; None when there is no score or it is a category."""
    if cell is None or cell.result.status != "scored":
        return None
    value = cell.result.value
    return float(value) if isinstance(value, (int, float)) else None


def summarize_run(data: RunData) -> RunSummary:
    """Summarize every metric of a run; rows are clustered when the run names a group column."""
    groups = data.groups
    lines = tuple(_line(info, data.column(info.key), groups) for info in data.run.metrics)
    scores = {
        line.info.key: MetricScores(
            [number(cell) for cell in data.column(line.info.key)],
            line.info.low,
            line.info.high,
            line.info.higher_is_better,
        )
        for line in lines
        if not line.shares
    }
    return RunSummary(lines, overall_score(scores, groups=groups))


def _line(
    info: MetricInfo, column: Sequence[Cell | None], groups: Sequence[Hashable] | None
) -> MetricLine:
    scored = [(row, cell) for row, cell in enumerate(column) if cell and _is_scored(cell)]
    kept = None if groups is None else [groups[row] for row, _ in scored]
    values = [number(cell) for _, cell in scored]
    labels = [str(cell.result.value) for _, cell in scored]
    categorical = any(value is None for value in values)
    bounds = None if info.low is None or info.high is None else (info.low, info.high)
    numbers = [value for value in values if value is not None]
    return MetricLine(
        info=info,
        n_total=len(column),
        n_scored=len(scored),
        summary=None
        if categorical
        else summarize(numbers, len(column), groups=kept, bounds=bounds),
        shares=_shares(labels, len(column), kept) if categorical else {},
        unscored=_codes(column, "unscored"),
        failed=_codes(column, "failed"),
        pending=sum(cell is None for cell in column),
    )


def _is_scored(cell: Cell) -> bool:
    return cell.result.status == "scored"


def _shares(
    labels: Sequence[str], n_total: int, groups: Sequence[Hashable] | None
) -> dict[str, MetricSummary]:
    return {
        label: summarize([float(other == label) for other in labels], n_total, groups=groups)
        for label in sorted(set(labels))
    }


def _codes(column: Sequence[Cell | None], status: str) -> dict[str, int]:
    results = [cell.result for cell in column if cell is not None and cell.result.status == status]
    return dict(Counter(result.code or "unknown" for result in results).most_common())

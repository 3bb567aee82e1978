"""Compare two runs on the rows that both have scored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.engine.comparable import metric_info, obstacle, warnings_of
from ragstone.engine.matching import Matching, changed_fields, match_rows
from ragstone.errors import UsageError
from ragstone.schema.cells import Cell
from ragstone.schema.results import Value
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import MetricInfo, Run
from ragstone.stats.paired import PairedComparison, compare_metrics
from ragstone.stats.pairs import PairedData
from ragstone.stats.runs import number

__all__ = ["LoneScore", "MetricComparison", "RunComparison", "compare_runs", "pair_values"]

_MOST_LABELS = 20  # with more, a metric gives free text, and no share says anything

Outcome = Literal["better", "worse", "more often", "less often", "no evidence", "not comparable"]
Part = tuple[str, str | None]  # a metric, or one of its labels
_OF_LABELS: Mapping[str, Outcome] = {"better": "more often", "worse": "less often"}


@dataclass(frozen=True, slots=True)
class LoneScore:
    """A matched row that one run alone has scored, so that no mean here holds it.

    `side` is the run with the score, `row` its row there (from 0); `cause` says why the other run
    has none.
    """

    side: Literal["a", "b"]
    row: int
    value: Value
    cause: str


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric in two runs, or how often one of its labels was given (`label`).

    `obstacle` says what else than the evaluated application could have moved it; the numbers stand,
    but they say nothing about the application. `lone` are matched rows that only one run scored.
    """

    metric: str
    label: str | None
    result: PairedComparison
    obstacle: str | None = None
    lone: tuple[LoneScore, ...] = ()

    @property
    def name(self) -> str:
        """The metric, or METRIC.LABEL."""
        return _name((self.metric, self.label))

    @property
    def verdict(self) -> Outcome:
        """What the matched rows say; a label has no direction, so it is more or less frequent."""
        if self.obstacle is not None:
            return "not comparable"
        found = self.result.verdict
        return found if self.label is None else _OF_LABELS.get(found, "no evidence")


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What run b changed against run a.

    `changed` counts, by field, the matched rows whose data differ. `left_out` names the metrics
    that could not be compared at all, with the reason. `warnings` say what stands in the way of
    believing the verdicts.
    """

    a: Run
    b: Run
    alpha: float
    matching: Matching
    metrics: tuple[MetricComparison, ...]
    changed: Mapping[str, int]
    left_out: Mapping[str, str]
    warnings: tuple[str, ...]


def compare_runs(
    a: RunData, b: RunData, *, metrics: Sequence[str] = (), alpha: float = 0.05
) -> RunComparison:
    """Compare b with a: paired tests on the matched rows, adjusted over the metrics (Holm).

    `metrics` are keys; default: all that both runs measured. Metrics with an obstacle are tested
    apart, so that they cost the others nothing.

    Raises UsageError: a metric that a run has not measured, no metric or no row in common.
    """
    keys = _chosen(a.run, b.run, metrics)
    matching = match_rows(a.samples, b.samples)
    if not matching.pairs:
        raise UsageError(
            f"the runs {a.run.name!r} and {b.run.name!r} share no row (matched by {matching.by}); "
            "score the same questions in both"
        )
    left_out = {} if metrics else _of_one_run(a.run, b.run)
    data: dict[Part, PairedData] = {}
    for key in keys:
        labels = _labels(a, b, matching, key)
        if len(labels) > _MOST_LABELS:
            left_out[key] = f"it has {len(labels):,} different labels"
            continue
        # of two labels one says all, for their shares add up to 1
        for label in labels[-1:] if len(labels) == 2 else labels or (None,):
            data[key, label] = pair_values(a, b, matching, key, label)
    obstacles = {key: obstacle(a.run, b.run, key) for key in keys}
    changed = changed_fields(a.samples, b.samples, matching)
    return RunComparison(
        a=a.run,
        b=b.run,
        alpha=alpha,
        matching=matching,
        metrics=_tested(data, obstacles, alpha, {k: _lone(a, b, matching, k) for k in keys}),
        changed=changed,
        left_out=left_out,
        warnings=tuple(warnings_of(a.run, b.run, changed, matching.by)),
    )


def pair_values(
    a: RunData, b: RunData, matching: Matching, metric: str, label: str | None = None
) -> PairedData:
    """The numbers of a metric on the matched rows that both have scored, a before b.

    With `label`: 1 where that label was given, 0 where another was. Rows are grouped as the runs
    say (as a says, if they differ).
    """
    column_a, column_b = a.column(metric), b.column(metric)
    groups, side = (a.groups, 0) if a.groups is not None else (b.groups, 1)
    before: list[float] = []
    after: list[float] = []
    kept = []
    for pair in matching.pairs:
        one, other = _value(column_a[pair[0]], label), _value(column_b[pair[1]], label)
        if one is not None and other is not None:
            before.append(one)
            after.append(other)
            kept.append(pair[side])
    info = metric_info(b.run, metric)
    return PairedData(
        before,
        after,
        higher_is_better=info.higher_is_better if label is None else True,
        groups=None if groups is None else [groups[row] for row in kept],
        bounds=_bounds(info) if label is None else (0.0, 1.0),
    )


def _value(cell: Cell | None, label: str | None) -> float | None:
    if label is None:
        return number(cell)
    given = _label(cell)
    return None if given is None else float(given == label)


def _label(cell: Cell | None) -> str | None:
    scored = cell is not None and cell.result.status == "scored"
    return str(cell.result.value) if cell is not None and scored else None


def _labels(a: RunData, b: RunData, matching: Matching, metric: str) -> Sequence[str | None]:
    """The labels that either run gave on the matched rows; none when all values are numbers."""
    pairs = list(zip(*matching.pairs, strict=True))
    cells = [
        run.column(metric)[row] for run, rows in zip((a, b), pairs, strict=True) for row in rows
    ]
    if all(_label(cell) is None or number(cell) is not None for cell in cells):
        return []
    return sorted({text for cell in cells if (text := _label(cell)) is not None})


def _bounds(info: MetricInfo) -> tuple[float, float] | None:
    if info.low is None or info.high is None:
        return None
    return (info.low, info.high) if math.isfinite(info.high - info.low) else None


def _tested(
    data: Mapping[Part, PairedData],
    obstacles: Mapping[str, str | None],
    alpha: float,
    lone: Mapping[str, tuple[LoneScore, ...]],
) -> tuple[MetricComparison, ...]:
    """Test every part; those with an obstacle are a family of tests of their own."""
    results: dict[str, PairedComparison] = {}
    for hindered in (False, True):
        family = {_name(p): one for p, one in data.items() if bool(obstacles[p[0]]) is hindered}
        results |= compare_metrics(family, alpha=alpha)
    return tuple(
        MetricComparison(*part, results[_name(part)], obstacles[part[0]], lone[part[0]])
        for part in data
    )


def _lone(a: RunData, b: RunData, matching: Matching, metric: str) -> tuple[LoneScore, ...]:
    column_a, column_b = a.column(metric), b.column(metric)
    found: list[LoneScore] = []
    for row_a, row_b in matching.pairs:
        one, other = column_a[row_a], column_b[row_b]
        value_a, value_b = (cell.result.value if cell else None for cell in (one, other))
        if value_a is not None and value_b is None:
            found.append(LoneScore("a", row_a, value_a, _cause(other)))
        elif value_b is not None and value_a is None:
            found.append(LoneScore("b", row_b, value_b, _cause(one)))
    return tuple(found)


def _cause(cell: Cell | None) -> str:
    if cell is None:
        return "not measured"
    failed = cell.result.status == "failed"
    return f"failed: {cell.result.code or 'error'}" if failed else cell.result.code or "no score"


def _name(part: Part) -> str:
    return part[0] if part[1] is None else f"{part[0]}.{part[1]}"


def _chosen(a: Run, b: Run, metrics: Sequence[str]) -> list[str]:
    shared = [info.key for info in a.metrics if info.key in {other.key for other in b.metrics}]
    if not shared:
        raise UsageError(f"the runs {a.name!r} and {b.name!r} have no metric in common")
    for key in metrics:
        if key not in shared:
            raise UsageError(f"no metric {key!r} in both runs; they share: {', '.join(shared)}")
    return list(dict.fromkeys(metrics)) or shared


def _of_one_run(a: Run, b: Run) -> dict[str, str]:
    keys_a, keys_b = ([info.key for info in run.metrics] for run in (a, b))
    lonely = {key: f"only in {a.name}" for key in keys_a if key not in keys_b}
    return lonely | {key: f"only in {b.name}" for key in keys_b if key not in keys_a}

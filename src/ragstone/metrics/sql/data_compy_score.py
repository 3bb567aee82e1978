"""DataCompy score: does the table of the response hold what the reference table holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal, cast, get_args

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._counts import CountMode, f_beta
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.sql._tables import Comparison, NoTable, Table, compare, read_table
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["DataCompyMode", "DataCompyScore"]

DataCompyMode = Literal["rows", "columns", "row", "column"]
_SHOWN = 50  # rows or columns told of one sample


@dataclass(frozen=True, kw_only=True)
class DataCompyScore(Metric):
    """Overlap of two tables in CSV, 0 to 1, higher is better.

    `mode` rows counts the rows that are equal in all common columns, columns the columns that are
    equal in all paired rows. Rows are paired by the key columns `on`, else by position. `metric` is
    the share of the response's rows or columns that match (precision), of the reference's (recall)
    or their F1. A response that is blank or no table gives 0; two tables without rows, but with the
    same columns, give 1. Unscored: a blank reference, or one that is no table or lacks a key.
    Source: Ragas documentation, DataCompy score; datacompy compares.
    """

    name: str = "data_compy_score"
    mode: DataCompyMode = "rows"
    metric: CountMode = "f1"
    on: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, labels in {"mode": DataCompyMode, "metric": CountMode}.items():
            if getattr(self, name) not in get_args(labels):
                allowed = ", ".join(get_args(labels))
                raise UsageError(f"{name} must be one of {allowed}, not {getattr(self, name)!r}")
        object.__setattr__(self, "mode", f"{self.mode.removesuffix('s')}s")
        object.__setattr__(self, "on", _listed(self.on))

    def measure(self, response: str, reference: str) -> MetricResult:
        """Read both tables, and count what matches."""
        need_text(reference, "no_reference", "reference")
        keys = [key.strip().lower() for key in self.on]
        try:
            theirs = _with_keys(reference, keys)
        except NoTable as error:
            raise Unscored("bad_reference", f"the reference is no such table: {error}") from None
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        try:
            ours = _with_keys(response, keys)
        except NoTable as error:
            return MetricResult(0.0, reason=f"the response is no such table: {error}")
        return self._result(ours, theirs, compare(ours, theirs, keys))

    def _result(self, ours: Table, theirs: Table, found: Comparison) -> MetricResult:
        if self.mode == "rows":
            matches, made, wanted = found.rows, ours.rows, theirs.rows
        else:
            no_pairs = not found.pairs and bool(ours.rows or theirs.rows)
            matches = 0 if no_pairs else sum(found.columns.values())
            made, wanted = len(ours.columns), len(theirs.columns)
        if made == wanted == 0 and set(ours.columns) == set(theirs.columns):
            return MetricResult(1.0, reason="both tables have the same columns and no rows")
        p, r = (matches / total if total else 0.0 for total in (made, wanted))
        value = {"precision": p, "recall": r, "f1": f_beta(p, r)}[self.metric]
        reason = f"{matches} matching {self.mode} of {made} in the response and {wanted} in the "
        return MetricResult(
            value,
            reason=f"{reason}reference: precision {p:.3g}, recall {r:.3g}",
            evidence=tuple(islice(self._evidence(found), _SHOWN)),
        )

    def _evidence(self, found: Comparison) -> list[Evidence]:
        if self.mode == "columns":
            return [
                Evidence(name, "equal" if same else "different")
                for name, same in found.columns.items()
            ]
        return [
            Evidence(f"row {row}", "different", f"in {', '.join(names)}")
            for row, names in found.differing.items()
        ]


def _listed(names: object) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(map(str, cast("Iterable[str]", names)))


def _with_keys(text: str, keys: list[str]) -> Table:
    table = read_table(text)
    if lacking := [key for key in keys if key not in table.columns]:
        raise NoTable(f"it has no column {', '.join(map(repr, lacking))}")
    return table

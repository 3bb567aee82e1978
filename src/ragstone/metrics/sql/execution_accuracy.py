"""Execution accuracy: does the query of the response return what the reference query returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.sql._database import Limits, QueryFailed, Rows, checked_url, run_query
from ragstone.metrics.sql._parsed import parse_query
from ragstone.metrics.sql._same_rows import aligned, only_in, same_rows
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["ExecutionAccuracy"]

_SHOWN = 10  # rows of each kind told of one sample
_LETTERS = 300  # of one row


@dataclass(frozen=True, kw_only=True)
class ExecutionAccuracy(Metric):
    """1.0 when both queries return the same rows, else 0.0; higher is better.

    Both run on the database at `database_url` (sqlite:///PATH or postgresql://USER@HOST/DATABASE),
    read-only, for at most `timeout` seconds each and up to `max_rows` rows. The order of rows
    counts when the reference ends in ORDER BY; names of columns do not, nor their order when both
    have the same names. A response that is blank, fails or runs too long gives 0. Unscored: a
    reference that is blank, fails, runs too long or has too many rows. Source: Ragas documentation,
    text to SQL.
    """

    name: str = "execution_accuracy"
    database_url: str = ""
    timeout: float = 30.0
    max_rows: int = 10_000

    silent = frozenset({"database_url"})

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_url(self.database_url)
        if not 0 < self.timeout <= 86_400:
            raise UsageError(f"timeout must be above 0 and at most 86400, not {self.timeout!r}")
        if not 1 <= self.max_rows <= 10_000_000:
            raise UsageError(f"max_rows must lie in 1..10000000, not {self.max_rows!r}")

    def measure(self, response: str, reference: str) -> MetricResult:
        """Run both queries, and compare what they return."""
        need_text(reference, "no_reference", "reference")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        url, limits = checked_url(self.database_url), Limits(self.timeout, self.max_rows)
        try:
            theirs = run_query(url, reference, limits)
        except QueryFailed as error:
            raise Unscored("bad_reference", f"the reference fails: {error}") from None
        if theirs.more:
            raise Unscored("too_long", f"the reference returns more than {self.max_rows} rows")
        try:
            ours = run_query(url, response, limits)
        except QueryFailed as error:
            return MetricResult(0.0, reason=f"the response fails: {error}")
        query = parse_query(reference, "sqlite" if "sqlite" in url.drivername else "postgres")
        return _compared(ours, theirs, ordered=bool(query and query.args.get("order")))


def _compared(ours: Rows, theirs: Rows, *, ordered: bool) -> MetricResult:
    if ours.more:
        return MetricResult(0.0, reason="the response returns more rows than the reference")
    rows = aligned(ours, theirs)
    if same_rows(rows, theirs.rows, ordered=ordered):
        return MetricResult(1.0, reason=f"both return the same {len(rows)} rows")
    missing, extra = only_in(theirs.rows, rows), only_in(rows, theirs.rows)
    reason = (
        f"the response returns {len(rows)} rows of {len(ours.columns)} columns, the reference "
        f"{len(theirs.rows)} of {len(theirs.columns)}: {len(missing)} missing, {len(extra)} extra"
    )
    if not missing and not extra:
        reason = f"both return the same {len(rows)} rows, in another order"
    evidence = (*_told(missing, "missing"), *_told(extra, "extra"))
    return MetricResult(0.0, reason=reason, evidence=evidence)


def _told(rows: Sequence[Sequence[Any]], verdict: str) -> list[Evidence]:
    return [
        Evidence(", ".join(map(str, row))[:_LETTERS] or "an empty row", verdict)
        for row in rows[:_SHOWN]
    ]

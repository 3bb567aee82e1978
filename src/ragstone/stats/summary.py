"""The numbers beside the mean of one metric."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.stats.intervals import Interval, mean_interval
from ragstone.stats.values import Groups, Values, checked_values, exact_mean, spread

__all__ = ["MetricSummary", "summarize"]


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """A mean over the scored rows, never without how many of how many rows were scored.

    coverage is n_scored / n_total, None when there are no rows at all. sd is the sample
    standard deviation, None below two scored rows.
    """

    mean: float | None
    interval: Interval | None
    n_scored: int
    n_total: int
    coverage: float | None
    sd: float | None
    minimum: float | None
    maximum: float | None


def summarize(
    scored: Values,
    n_total: int,
    *,
    level: float = 0.95,
    groups: Groups | None = None,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
) -> MetricSummary:
    """Summarize the scored values of one metric; n_total counts the rows without a score too.

    Raises UsageError: fewer rows than scores, NaN or infinity, values outside the bounds.
    """
    values = checked_values(scored, "scored")
    n = len(values)
    if n_total < n:
        raise UsageError(f"n_total is {n_total!r} but {n} rows are scored; count all rows.")
    interval = mean_interval(values, level=level, groups=groups, seed=seed, bounds=bounds)
    return MetricSummary(
        mean=exact_mean(values) if n else None,
        interval=interval,
        n_scored=n,
        n_total=n_total,
        coverage=n / n_total if n_total else None,
        sd=spread(values) if n > 1 else None,
        minimum=float(values.min()) if n else None,
        maximum=float(values.max()) if n else None,
    )

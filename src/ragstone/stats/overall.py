"""One score for a whole run: the mean of the normalised metric means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ragstone.errors import UsageError
from ragstone.stats.intervals import Interval, mean_interval, numeric_interval
from ragstone.stats.values import (
    Floats,
    Groups,
    checked_bounds,
    checked_groups,
    checked_share,
    checked_values,
    exact_mean,
    is_binary,
)

__all__ = ["MetricScores", "OverallScore", "overall_score"]


@dataclass(frozen=True, slots=True)
class MetricScores:
    """One metric's score of every row, None where there is none, with range and direction.

    low or high is None (or infinite) for a metric without that end, such as seconds.
    """

    scores: Sequence[float | None]
    low: float | None = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class OverallScore:
    """The overall score, 0 to 1, higher is better, and what went into it.

    left_out names every metric that could not enter, with the reason. n_scored cells went into
    the value, of the n_total cells (rows times metrics) of all metrics with a finite range: a
    metric without any score counts there too.
    """

    value: float | None
    interval: Interval | None
    metrics: tuple[str, ...]
    left_out: Mapping[str, str]
    n_scored: int = 0
    n_total: int = 0

    @property
    def coverage(self) -> float:
        """Share of the cells that went into the value, 0 to 1."""
        return self.n_scored / self.n_total if self.n_total else 0.0


def overall_score(
    metrics: Mapping[str, MetricScores],
    *,
    level: float = 0.95,
    groups: Groups | None = None,
    seed: int = 0,
) -> OverallScore:
    """Return the mean of the normalised metric means, each metric counting the same.

    The interval takes whole rows as the unit, so metrics that agree on a row are not counted
    as independent evidence; rows that lack some scores enter with what they have.

    Raises UsageError: rows of different number, NaN, scores outside the range of their metric.

    Source: Jaeckel 1972, The infinitesimal jackknife (a row's share in a mean of ratios).
    """
    checked_share(level, "level")
    rows = _row_count(metrics)
    named = checked_groups(groups, rows)
    left_out = {name: reason for name, one in metrics.items() if (reason := _obstacle(one))}
    used = {name: _normalised(name, one) for name, one in metrics.items() if name not in left_out}
    n_total = rows * sum(_has_range(one) for one in metrics.values())
    if not used:
        return OverallScore(None, None, (), left_out, 0, n_total)
    means = [exact_mean(scores[~np.isnan(scores)]) for scores in used.values()]
    value = math.fsum(means) / len(means)
    shares = _row_shares(list(used.values()), means) + value
    seen = np.any([~np.isnan(scores) for scores in used.values()], axis=0)
    kept = None if named is None else [named[row] for row in np.flatnonzero(seen)]
    interval = _interval(shares[seen], value, kept, level=level, seed=seed)
    n_scored = sum(int(np.sum(~np.isnan(scores))) for scores in used.values())
    return OverallScore(value, interval, tuple(used), left_out, n_scored, n_total)


def _row_count(metrics: Mapping[str, MetricScores]) -> int:
    counts = {name: len(one.scores) for name, one in metrics.items()}
    if len(set(counts.values())) > 1:
        raise UsageError(f"metrics differ in their number of rows: {counts!r}; give None for gaps.")
    return next(iter(counts.values()), 0)


def _obstacle(metric: MetricScores) -> str | None:
    if all(score is None for score in metric.scores):
        return "no scored rows"
    return None if _has_range(metric) else "no finite range"


def _has_range(metric: MetricScores) -> bool:
    return not any(end is None or math.isinf(end) for end in (metric.low, metric.high))


def _normalised(name: str, metric: MetricScores) -> Floats:
    """Return the scores on 0 to 1, higher is better, NaN where there is none."""
    low, high = metric.low or 0.0, metric.high or 0.0
    filled = [low if score is None else score for score in metric.scores]
    values = checked_values(filled, name)
    checked_bounds((low, high), values, name)
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    missing = [score is None for score in metric.scores]
    return np.where(missing, np.nan, share if metric.higher_is_better else 1 - share)


def _row_shares(used: list[Floats], means: list[float]) -> Floats:
    """Return by how much each row moves the overall score: its influence, mean 0."""
    seen = np.any([~np.isnan(scores) for scores in used], axis=0)
    rows = int(np.sum(seen))
    total = np.zeros(len(seen))
    for scores, mean in zip(used, means, strict=True):
        scored = ~np.isnan(scores)
        total[scored] += (scores[scored] - mean) * rows / int(np.sum(scored))
    return total / len(used)


def _interval(
    shares: Floats, value: float, groups: Groups | None, *, level: float, seed: int
) -> Interval | None:
    if is_binary(shares):
        return mean_interval(shares, level=level, groups=groups, seed=seed)
    limits = min(0.0, float(shares.min())), max(1.0, float(shares.max()))
    named = None if groups is None else list(groups)
    found = numeric_interval(shares, named, level=level, seed=seed, bounds=limits)
    if found is None:
        return None
    return replace(
        found, low=max(0.0, min(found.low, value)), high=min(1.0, max(found.high, value))
    )

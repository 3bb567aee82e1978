"""A confidence interval beside every mean."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from ragstone.stats.bootstrap import Resamples, bca_ends, bootstrap_t_ends
from ragstone.stats.clusters import ClusterMean, cluster_mean
from ragstone.stats.distributions import normal_quantile, student_quantile
from ragstone.stats.rates import wilson_ends
from ragstone.stats.values import (
    Floats,
    Groups,
    Values,
    checked_bounds,
    checked_groups,
    checked_share,
    checked_values,
    exact_mean,
    is_binary,
    spread,
)

__all__ = ["Interval", "constant_interval", "mean_interval", "numeric_interval"]

Range = tuple[float, float]
LARGE = 5000  # above it the t interval and the bootstrap agree, and the bootstrap is slow


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval from low to high, at a level such as 0.95, and how it was made."""

    low: float
    high: float
    level: float
    method: str


def mean_interval(
    values: Values,
    *,
    level: float = 0.95,
    groups: Groups | None = None,
    seed: int = 0,
    bounds: Range | None = None,
) -> Interval | None:
    """Return the interval of the mean, or None where the data cannot give one.

    Rates (all values 0 or 1) get Wilson's interval, other scores the bootstrap-t, more than
    5,000 rows the t interval, rows in groups the cluster-robust forms of these. `bounds` is
    the range that a score can take; it limits the interval and tells what rare values could do.
    None: fewer than two values, a single group, or equal values without known bounds.

    Raises UsageError: NaN or infinity, values outside the bounds, a level not between 0 and 1.

    Source: Wilson 1927; Efron and Tibshirani 1993; Bell and McCaffrey 2002.
    """
    array = checked_values(values)
    named = checked_groups(groups, len(array))
    checked_share(level, "level")
    limits = checked_bounds(bounds, array)
    if len(array) < 2:
        return None
    if is_binary(array):
        return _rate_interval(array, named, level)
    return numeric_interval(array, named, level=level, seed=seed, bounds=limits)


def _rate_interval(values: Floats, groups: list[Hashable] | None, level: float) -> Interval | None:
    rate, n = exact_mean(values), len(values)
    if groups is None:
        low, high = wilson_ends(rate, n, normal_quantile((1 + level) / 2))
        return Interval(low, high, level, "wilson")
    clustered = cluster_mean(values, groups)
    if clustered is None:
        return None
    z = student_quantile((1 + level) / 2, clustered.df)
    low, high = wilson_ends(rate, _effective_rows(clustered, n), z)
    return Interval(low, high, level, "wilson, clustered")


def _effective_rows(clustered: ClusterMean, n: int) -> float:
    """Return how many independent rows would be as precise; each group is one when all agree."""
    rate = clustered.mean
    if rate in (0, 1):
        return clustered.clusters
    return min(float(n), rate * (1 - rate) / clustered.error**2)


def numeric_interval(
    values: Floats,
    groups: list[Hashable] | None = None,
    *,
    level: float,
    seed: int = 0,
    bounds: Range | None = None,
) -> Interval | None:
    """Return the interval of a mean of checked values, also where all happen to be 0 or 1."""
    if len(values) < 2:
        return None
    clustered = None if groups is None else cluster_mean(values, groups)
    if groups is not None and clustered is None:
        return None
    if spread(values) == 0:
        units = len(values) if clustered is None else clustered.clusters
        return constant_interval(float(values[0]), units, level, bounds)
    if clustered is not None:
        half = clustered.error * student_quantile((1 + level) / 2, clustered.df)
        ends, method = (clustered.mean - half, clustered.mean + half), "t, clustered"
    elif len(values) > LARGE:
        ends, method = _t_ends(values, level), "t"
    else:
        ends, method = _bootstrap_ends(values, level, seed, bounds)
    low, high = _within(ends, bounds, exact_mean(values))
    return Interval(low, high, level, method)


def constant_interval(value: float, n: int, level: float, bounds: Range | None) -> Interval | None:
    """Return what n equal values leave open: a share of other values that n rows could miss.

    The share is the exact one-sided binomial limit, and those values may lie anywhere in the
    bounds. Without bounds nothing can be said: None.
    Source: Clopper and Pearson 1934, for no case in n.
    """
    if bounds is None:
        return None
    missed = 1 - ((1 - level) / 2) ** (1 / n)
    low, high = (value + missed * (end - value) for end in bounds)
    return Interval(min(low, value), max(high, value), level, "all equal")


def _t_ends(values: Floats, level: float) -> Range:
    n, mean = len(values), exact_mean(values)
    half = student_quantile((1 + level) / 2, n - 1) * spread(values) / math.sqrt(n)
    return mean - half, mean + half


def _bootstrap_ends(
    values: Floats, level: float, seed: int, bounds: Range | None
) -> tuple[Range, str]:
    """Return at each end the wider of bootstrap-t and t; a limit where neither can be trusted.

    Known bounds limit the variance, so Wilson's interval on the scaled mean is a safe limit.
    Without bounds an end that the bootstrap-t leaves open is the wider of BCa and t.
    """
    resamples = Resamples(values, seed)
    low, high = bootstrap_t_ends(resamples, level)
    t_low, t_high = _t_ends(values, level)
    if bounds is not None:
        width = bounds[1] - bounds[0]
        rate = min(max((resamples.mean - bounds[0]) / width, 0.0), 1.0)
        safe = wilson_ends(rate, len(values), normal_quantile((1 + level) / 2))
        safe_low, safe_high = bounds[0] + width * safe[0], bounds[0] + width * safe[1]
        wide = min(low, t_low), max(high, t_high)
        ends = max(wide[0], safe_low), min(wide[1], safe_high)
        return ends, "bootstrap-t" if ends == wide else "bootstrap-t, wilson limit"
    if np.isfinite(low) and np.isfinite(high):
        return (min(low, t_low), max(high, t_high)), "bootstrap-t"
    bca_low, bca_high = bca_ends(resamples, level)
    low = low if np.isfinite(low) else bca_low
    high = high if np.isfinite(high) else bca_high
    return (min(low, t_low), max(high, t_high)), "bootstrap-t, BCa limit"


def _within(ends: Range, bounds: Range | None, mean: float) -> Range:
    """Clip the ends to the bounds; the mean itself always stays inside."""
    low, high = ends
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return min(low, mean), max(high, mean)

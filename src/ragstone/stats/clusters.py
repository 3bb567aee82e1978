"""The mean of rows that come in groups, and its standard error."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.stats.values import ROUNDING, Floats, exact_mean, spread

__all__ = ["ClusterMean", "cluster_mean", "cluster_sums"]


@dataclass(frozen=True, slots=True)
class ClusterMean:
    """A mean with its cluster-robust standard error and the degrees of freedom behind it."""

    mean: float
    error: float
    df: float
    clusters: int


def cluster_sums(values: Floats, groups: Sequence[Hashable]) -> tuple[Floats, Floats]:
    """Return sum and row count of every group, ordered by content, not by appearance."""
    members: defaultdict[Hashable, list[float]] = defaultdict(list)
    for value, group in zip(values.tolist(), groups, strict=True):
        members[group].append(value)
    pairs = sorted((_total(rows), len(rows)) for rows in members.values())
    return np.array([total for total, _ in pairs]), np.array([float(n) for _, n in pairs])


def _total(rows: list[float]) -> float:
    total = math.fsum(rows)
    noise = ROUNDING * math.fsum(abs(row) for row in rows)
    return 0.0 if abs(total) <= noise else total


def cluster_mean(values: Floats, groups: Sequence[Hashable]) -> ClusterMean | None:
    """Return the mean over rows with an error that allows for likeness within groups.

    The error is never below the one of independent rows: a few groups that agree by luck
    are no proof of precision. None for fewer than two groups, which show no variation.

    Source: Bell and McCaffrey 2002 (CR2 with Satterthwaite degrees of freedom), worked out
    for a mean; Imbens and Kolesár 2016, Robust standard errors in small samples.
    """
    sums, counts = cluster_sums(values, groups)
    if len(sums) < 2:
        return None
    n, mean = len(values), exact_mean(values)
    shares = counts / n
    residuals = sums - mean * counts
    variance = float(np.sum(residuals**2 / (1 - shares))) / n**2
    leverage = shares**2 / (1 - shares)
    trace = np.sum(shares**2) + np.sum(leverage) ** 2 - np.sum(leverage**2)
    independent = spread(values) / math.sqrt(n)
    return ClusterMean(mean, max(math.sqrt(variance), independent), float(1 / trace), len(sums))

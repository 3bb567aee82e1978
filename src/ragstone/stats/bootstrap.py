"""Ends of an interval for a mean by the bootstrap: bootstrap-t and BCa."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ragstone.stats.distributions import normal_cdf, normal_quantile
from ragstone.stats.values import Floats, exact_mean, spread

__all__ = ["Resamples", "bca_ends", "bootstrap_t_ends", "resample"]

DRAWS = 2000
_CELLS = 500_000  # numbers held at once: about 4 MB for each temporary array
_NO_SPREAD = 1e-9  # variance of a resample, in units of the data's, that is rounding only
_DIGITS = 11


class Resamples:
    """Means and standard deviations of the resamples, in standard units of the data."""

    def __init__(self, values: Floats, seed: int, draws: int = DRAWS) -> None:
        self.n = len(values)
        self.mean, self.sd = exact_mean(values), spread(values)
        self.standard = (np.sort(values) - self.mean) / self.sd
        parts = list(resample(self.standard, seed, draws))
        # Rounded, so that equal means stay equal whatever the unit of the data.
        self.means = np.round(np.concatenate([means for means, _ in parts]), _DIGITS)
        self.variances = np.concatenate([variances for _, variances in parts])


def resample(values: Floats, seed: int, draws: int = DRAWS) -> Iterator[tuple[Floats, Floats]]:
    """Yield means and variances (n - 1) of resamples of the sorted values, in bounded chunks.

    Every draw is used twice, once mirrored in rank: the pair cancels part of the noise, and
    the interval of the negated data is exactly the negated interval.
    Source: Hall 1989, Antithetic resampling for the bootstrap.
    """
    n, rng = len(values), np.random.default_rng(seed)
    pairs = draws // 2
    chunk = max(1, _CELLS // n)
    for start in range(0, pairs, chunk):
        ranks = rng.integers(0, n, (min(chunk, pairs - start), n))
        for picked in (values[ranks], values[n - 1 - ranks]):
            means = picked.mean(axis=1)
            squares = np.einsum("ij,ij->i", picked, picked) / n
            yield means, np.maximum(squares - means**2, 0.0) * n / (n - 1)


def bootstrap_t_ends(resamples: Resamples, level: float) -> tuple[float, float]:
    """Return the bootstrap-t interval; an end is infinite where the data cannot tell.

    Resamples without spread (few distinct values) have an infinite t, which is kept: they
    say that the end is unknown, not that it is near.
    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, section 12.5.
    """
    means, variances = resamples.means, resamples.variances
    flat = variances < _NO_SPREAD
    errors = np.sqrt(np.where(flat, 1.0, variances) / resamples.n)
    unknown = np.where(means**2 < _NO_SPREAD, 0.0, np.copysign(np.inf, means))
    t = np.where(flat, unknown, means / errors)
    tail = (1 - level) / 2
    step = resamples.sd / math.sqrt(resamples.n)
    above = float(np.quantile(t, 1 - tail, method="higher"))
    below = float(np.quantile(t, tail, method="lower"))
    return resamples.mean - above * step, resamples.mean - below * step


def bca_ends(resamples: Resamples, level: float) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval; always finite.

    Source: Efron 1987, Better bootstrap confidence intervals.
    """
    means, draws = resamples.means, len(resamples.means)
    below = (np.sum(means < 0) + np.sum(means <= 0)) / (2 * draws)
    bias = normal_quantile(min(max(float(below), 0.5 / draws), 1 - 0.5 / draws))
    standard = resamples.standard
    acceleration = float(np.sum(standard**3)) / (6 * float(np.sum(standard**2)) ** 1.5)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal_quantile(tail)
        share = normal_cdf(bias + z / (1 - acceleration * z))
        ends.append(resamples.mean + resamples.sd * float(np.quantile(means, share)))
    return ends[0], ends[1]

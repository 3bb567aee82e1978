"""The sign-flip permutation test for matched differences."""

from __future__ import annotations

import math

import numpy as np

from ragstone.stats.distributions import student_two_sided
from ragstone.stats.values import ROUNDING, Floats, exact_mean, spread

__all__ = ["sign_flip"]

EXACT = 16  # differences whose sign patterns are all tried: 65,536
LARGE = 5000  # above it Student's t is as good, and random flips are slow
FLIPS = 10_000
_CELLS = 500_000  # numbers held at once


def sign_flip(differences: Floats, seed: int = 0) -> tuple[float, str]:
    """Return the two-sided p-value of "the sign of every difference is chance", and the method.

    Give one difference a row, or one sum a group. Zeros do not matter. All sign patterns are
    tried for up to 16 differences, 10,000 random ones for up to 5,000, else Student's t.

    Source: Fisher 1935, The design of experiments, section 21; Phipson and Smyth 2010 for
    (k + 1) / (m + 1), which is never 0.
    """
    sizes = np.sort(np.abs(differences[differences != 0]))
    if not sizes.size:
        return 1.0, "sign-flip, exact"
    if sizes.size > LARGE:
        return _student(differences), "t"
    scaled = sizes / sizes[-1]
    seen = abs(math.fsum((np.sort(differences) / sizes[-1]).tolist()))
    threshold = seen - ROUNDING * float(scaled.sum())
    if sizes.size <= EXACT:
        return _all_patterns(scaled, threshold), "sign-flip, exact"
    return _random_patterns(scaled, threshold, seed), "sign-flip, 10,000 random"


def _all_patterns(sizes: Floats, threshold: float) -> float:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums + size, sums - size])
    return float(np.mean(np.abs(sums) >= threshold))


def _random_patterns(sizes: Floats, threshold: float, seed: int) -> float:
    rng, total, hits = np.random.default_rng(seed), float(sizes.sum()), 0
    chunk = max(1, _CELLS // len(sizes))
    for start in range(0, FLIPS, chunk):
        kept = rng.integers(0, 2, (min(chunk, FLIPS - start), len(sizes)), dtype=np.int8)
        sums = 2 * (kept.astype(np.float64) @ sizes) - total
        hits += int(np.sum(np.abs(sums) >= threshold))
    return (hits + 1) / (FLIPS + 1)


def _student(differences: Floats) -> float:
    error = spread(differences) / math.sqrt(len(differences))
    if error == 0:
        return 0.0
    return student_two_sided(exact_mean(differences) / error, len(differences) - 1)

"""A number with a 95 % interval by the bootstrap over groups of rows."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ragstone.bench.agreement.measures import Weighted

__all__ = ["Estimate", "estimate"]

DRAWS = 1000
_SEED = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % interval; None where the rows do not tell."""

    value: float | None
    low: float | None = None
    high: float | None = None


def estimate(measure: Weighted, groups: Sequence[Hashable], draws: int = DRAWS) -> Estimate:
    """The measure over all rows, and the percentile interval over resamples of whole groups.

    Rows of one document or question are alike, so they are drawn together. Resamples on which the
    measure is not defined are left out. No interval for fewer than two groups. Equal rows in equal
    order give equal ends. Source: Davison and Hinkley 1997, Bootstrap Methods, section 3.8.
    """
    value = measure(np.ones(len(groups))) if groups else math.nan
    if math.isnan(value):
        return Estimate(None)
    numbers = {group: n for n, group in enumerate(dict.fromkeys(groups))}
    if len(numbers) < 2:
        return Estimate(value)
    member = np.array([numbers[group] for group in groups])
    rng = np.random.default_rng(_SEED)
    found = []
    for _ in range(draws):
        picked = np.bincount(rng.integers(0, len(numbers), len(numbers)), minlength=len(numbers))
        drawn = measure(picked[member].astype(np.float64))
        if not math.isnan(drawn):
            found.append(drawn)
    if not found:
        return Estimate(value)
    low, high = np.quantile(found, (0.025, 0.975))
    return Estimate(value, float(low), float(high))

"""A mean with its spread: the numbers that a chat metric reports beside its value."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.schema.results import Evidence

__all__ = ["Spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, population standard deviation, smallest and largest of some numbers."""

    mean: float
    std: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of one number or more; the mean is exact, and so within their range."""
        low, high = min(values), max(values)
        mean = min(max(statistics.fmean(values), low), high)
        return cls(mean, statistics.pstdev(values), low, high)

    def words(self) -> str:
        """Such as "std 0.100, min 0.200, max 0.900"."""
        return f"std {self.std:.3f}, min {self.low:.3f}, max {self.high:.3f}"

    def evidence(self) -> tuple[Evidence, ...]:
        """The three numbers as pieces of the result, each with the verdict "statistic"."""
        named = {"std": self.std, "min": self.low, "max": self.high}
        return tuple(Evidence(name, "statistic", weight=value) for name, value in named.items())

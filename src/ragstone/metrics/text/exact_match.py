"""Exact match: is the response the reference, character by character."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics.base import Metric
from ragstone.schema.results import MetricResult

__all__ = ["ExactMatch"]


@dataclass(frozen=True, kw_only=True)
class ExactMatch(Metric):
    """1.0 when response and reference are equal, else 0.0; higher is better.

    Nothing is normalized: case, white space and accents count, and two empty texts are equal.
    Unscored: never. Source: Ragas documentation, exact match.
    """

    name: str = "exact_match"

    def measure(self, reference: str, response: str) -> MetricResult:
        """Compare the two strings."""
        return MetricResult(float(response == reference))

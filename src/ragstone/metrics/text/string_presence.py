"""String presence: does the response hold the reference."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._texts import need_text
from ragstone.metrics.base import Metric
from ragstone.schema.results import Evidence, MetricResult, Span

__all__ = ["StringPresence"]


@dataclass(frozen=True, kw_only=True)
class StringPresence(Metric):
    """1.0 when the reference stands in the response, else 0.0; higher is better.

    Case counts. Unscored: a blank reference, which every text would hold. Source: Ragas
    documentation, string presence.
    """

    name: str = "string_presence"

    def measure(self, reference: str, response: str) -> MetricResult:
        """Look for the reference in the response."""
        need_text(reference, "no_reference", "reference")
        start = response.find(reference)
        if start < 0:
            return MetricResult(0.0, reason="the reference does not stand in the response")
        span = Span("response", start, start + len(reference))
        return MetricResult(1.0, evidence=(Evidence(reference, "present", spans=(span,)),))

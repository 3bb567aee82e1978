"""Context precision by ids: how much of what was retrieved should have been."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Ids, find
from ragstone.metrics._texts import no_context
from ragstone.metrics.base import Metric
from ragstone.schema.results import MetricResult

__all__ = ["IDBasedContextPrecision"]


@dataclass(frozen=True, kw_only=True)
class IDBasedContextPrecision(Metric):
    """Share of the retrieved ids that are reference ids, 0 to 1, higher is better.

    Ids are compared as text (7 is "7") and count once, whatever their order. Unscored: no retrieved
    id (0 with `strict`); no reference id (no_reference). Source: Ragas documentation, ID based
    context precision.
    """

    name: str = "id_based_context_precision"
    strict: bool = False

    def measure(self, retrieved_context_ids: Ids, reference_context_ids: Ids) -> MetricResult:
        """Count the retrieved ids that are among the reference ids."""
        found = find(retrieved_context_ids, reference_context_ids)
        if not found.retrieved:
            return no_context(self.strict)
        hits, total = sum(found.hits), len(found.retrieved)
        reason = f"{hits} of {total} retrieved ids are reference ids"
        return MetricResult(hits / total, reason=reason, evidence=found.evidence())

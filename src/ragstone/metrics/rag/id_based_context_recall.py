"""Context recall by ids: how much of what should have been retrieved was."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Ids, find
from ragstone.metrics._texts import no_context
from ragstone.metrics.base import Metric
from ragstone.schema.results import MetricResult

__all__ = ["IDBasedContextRecall"]


@dataclass(frozen=True, kw_only=True)
class IDBasedContextRecall(Metric):
    """Share of the reference ids that were retrieved, 0 to 1, higher is better.

    Ids are compared as text (7 is "7") and count once, whatever their order. Unscored: no retrieved
    id (0 with `strict`); no reference id (no_reference). Source: Ragas documentation, ID based
    context recall.
    """

    name: str = "id_based_context_recall"
    strict: bool = False

    def measure(self, retrieved_context_ids: Ids, reference_context_ids: Ids) -> MetricResult:
        """Count the reference ids that are among the retrieved ids."""
        found = find(retrieved_context_ids, reference_context_ids)
        if not found.retrieved:
            return no_context(self.strict)
        hits, total = sum(found.hits), len(found.relevant)
        reason = f"{hits} of {total} reference ids were retrieved"
        return MetricResult(hits / total, reason=reason, evidence=found.evidence())

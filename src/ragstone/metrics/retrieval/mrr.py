"""MRR: how far up does the first relevant id stand."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Found, Grades, Ids
from ragstone.metrics._ranks import reciprocal_rank
from ragstone.metrics.base import Metric
from ragstone.metrics.retrieval._ranking import score_ranking
from ragstone.schema.results import MetricResult

__all__ = ["MRR"]


@dataclass(frozen=True, kw_only=True)
class MRR(Metric):
    """1 over the rank of the first relevant id, 0 when there is none, 0 to 1, higher is better.

    The mean over samples is the mean reciprocal rank. Reference ids with a grade above 0 are
    relevant, all of them without grades. Unscored: no retrieved id (0 with `strict`); no relevant
    reference id (no_reference). Source: Voorhees 1999, TREC-8 question answering track.
    """

    name: str = "mrr"
    strict: bool = False

    def measure(
        self,
        retrieved_context_ids: Ids,
        reference_context_ids: Ids,
        reference_context_grades: Grades = None,
    ) -> MetricResult:
        """Find the first relevant id."""
        ids = (retrieved_context_ids, reference_context_ids, reference_context_grades)
        return score_ranking(ids, self.strict, self._value)

    def _value(self, found: Found) -> tuple[float, str]:
        value = reciprocal_rank(found.hits)
        where = f"at rank {found.hits.index(True) + 1}" if value else "nowhere"
        return value, f"the first relevant id stands {where}"

"""MAP: do the relevant ids come first, and all of them."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Found, Grades, Ids
from ragstone.metrics._ranks import average_precision
from ragstone.metrics.base import Metric
from ragstone.metrics.retrieval._ranking import score_ranking
from ragstone.schema.results import MetricResult

__all__ = ["MAP"]


@dataclass(frozen=True, kw_only=True)
class MAP(Metric):
    """Average precision of the ranking over all relevant ids, 0 to 1, higher is better.

    Sum of precision@k over the ranks k that hold a relevant id, divided by the number of relevant
    ids, those that were not retrieved included. The mean over samples is the mean average
    precision. Reference ids with a grade above 0 are relevant, all of them without grades.
    Unscored: no retrieved id (0 with `strict`); no relevant reference id (no_reference). Source:
    Manning, Raghavan and Schütze 2008, section 8.4.
    """

    name: str = "map"
    strict: bool = False

    def measure(
        self,
        retrieved_context_ids: Ids,
        reference_context_ids: Ids,
        reference_context_grades: Grades = None,
    ) -> MetricResult:
        """Sum the precision at each relevant rank."""
        ids = (retrieved_context_ids, reference_context_ids, reference_context_grades)
        return score_ranking(ids, self.strict, self._value)

    def _value(self, found: Found) -> tuple[float, str]:
        hits, total = sum(found.hits), len(found.relevant)
        value = average_precision(found.hits) * hits / total
        return value, f"{hits} of {total} relevant ids were retrieved"

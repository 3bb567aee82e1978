"""Precision at k: how much of the first ranks is relevant."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Found, Grades, Ids
from ragstone.metrics.base import Metric
from ragstone.metrics.retrieval._ranking import check_k, score_ranking
from ragstone.schema.results import MetricResult

__all__ = ["PrecisionAtK"]


@dataclass(frozen=True, kw_only=True)
class PrecisionAtK(Metric):
    """Relevant ids among the first `k`, divided by `k`, 0 to 1, higher is better.

    Reference ids with a grade above 0 are relevant, all of them without grades. The divisor is `k`
    even if fewer were retrieved. An id that is retrieved twice counts once. Unscored: no retrieved
    id (0 with `strict`); no relevant reference id (no_reference). Source: Manning, Raghavan and
    Schütze 2008, section 8.4.
    """

    name: str = "precision_at_k"
    k: int = 5
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_k(self.k)

    def measure(
        self,
        retrieved_context_ids: Ids,
        reference_context_ids: Ids,
        reference_context_grades: Grades = None,
    ) -> MetricResult:
        """Count the relevant ids among the first."""
        ids = (retrieved_context_ids, reference_context_ids, reference_context_grades)
        return score_ranking(ids, self.strict, self._value)

    def _value(self, found: Found) -> tuple[float, str]:
        hits = sum(found.hits[: self.k])
        return hits / self.k, f"{hits} relevant ids among the first {self.k}"

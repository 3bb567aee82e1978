"""Recall at k: how much of what is relevant stands at the first ranks."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Found, Grades, Ids
from ragstone.metrics.base import Metric
from ragstone.metrics.retrieval._ranking import check_k, score_ranking
from ragstone.schema.results import MetricResult

__all__ = ["RecallAtK"]


@dataclass(frozen=True, kw_only=True)
class RecallAtK(Metric):
    """Share of the relevant ids that stand among the first `k`, 0 to 1, higher is better.

    Reference ids with a grade above 0 are relevant, all of them without grades. Unscored: no
    retrieved id (0 with `strict`); no relevant reference id (no_reference). Source: Manning,
    Raghavan and Schütze 2008, section 8.4.
    """

    name: str = "recall_at_k"
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
        hits, total = sum(found.hits[: self.k]), len(found.relevant)
        return hits / total, f"{hits} of {total} relevant ids among the first {self.k}"

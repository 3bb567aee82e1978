"""Hit at k: did retrieval find anything at all."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Found, Grades, Ids
from ragstone.metrics.base import Metric
from ragstone.metrics.retrieval._ranking import check_k, score_ranking
from ragstone.schema.results import MetricResult

__all__ = ["HitAtK"]


@dataclass(frozen=True, kw_only=True)
class HitAtK(Metric):
    """1.0 when one of the first `k` ids is relevant, else 0.0; higher is better.

    Reference ids with a grade above 0 are relevant, all of them without grades; the mean over
    samples is the hit rate. Unscored: no retrieved id (0 with `strict`); no relevant reference id
    (no_reference). Source: information retrieval, success at k.
    """

    name: str = "hit_at_k"
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
        """Look for a relevant id among the first."""
        ids = (retrieved_context_ids, reference_context_ids, reference_context_grades)
        return score_ranking(ids, self.strict, self._value)

    def _value(self, found: Found) -> tuple[float, str]:
        hits = sum(found.hits[: self.k])
        return float(hits > 0), f"{hits} relevant ids among the first {self.k}"

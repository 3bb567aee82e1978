"""NDCG: do the most relevant ids come first."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ids import Found, Grades, Ids
from ragstone.metrics._ranks import discounted_gain
from ragstone.metrics.base import Metric
from ragstone.metrics.retrieval._ranking import check_k, score_ranking
from ragstone.schema.results import MetricResult

__all__ = ["NDCG"]


@dataclass(frozen=True, kw_only=True)
class NDCG(Metric):
    """Discounted gain of the ranking over that of the best one, 0 to 1, higher is better.

    The gain of an id is its grade (`reference_context_grades`, 1 without grades) divided by
    log2(rank + 1). With `k` only the first `k` ranks of both rankings count (NDCG@k). An id that is
    retrieved twice counts at its first rank. Unscored: no retrieved id (0 with `strict`); no
    reference id with a grade above 0 (no_reference). Source: Järvelin and Kekäläinen 2002.
    """

    name: str = "ndcg"
    k: int | None = None
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
        """Compare the ranking with the best one."""
        ids = (retrieved_context_ids, reference_context_ids, reference_context_grades)
        return score_ranking(ids, self.strict, self._value)

    def _value(self, found: Found) -> tuple[float, str]:
        best = sorted(found.relevant.values(), reverse=True)
        gain, most = discounted_gain(found.grades[: self.k]), discounted_gain(best[: self.k])
        return min(1.0, gain / most), f"discounted gain {gain:.4g} of at most {most:.4g}"

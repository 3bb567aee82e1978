"""Context precision without a judge: do contexts that are like a reference context come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._ranks import average_precision
from ragstone.metrics._similarity import DistanceMeasure
from ragstone.metrics._texts import has_context, no_context, whole
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._likeness import best_match, check_threshold, measure_of
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["NonLLMContextPrecisionWithReference"]


@dataclass(frozen=True, kw_only=True)
class NonLLMContextPrecisionWithReference(Metric):
    """Average precision of contexts by likeness to a reference context, 0 to 1, higher is better.

    A context is relevant when its string similarity to some reference context is at least
    `threshold`. `distance_measure` is levenshtein, hamming, jaro or jaro_winkler, or a
    NonLLMStringSimilarity. A blank context is not relevant. Unscored: no or only blank contexts (0
    with `strict`); no reference context (no_reference). Source: Ragas documentation, non LLM based
    context precision.
    """

    name: str = "non_llm_context_precision_with_reference"
    distance_measure: object = DistanceMeasure.LEVENSHTEIN
    threshold: float = 0.5
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "distance_measure", measure_of(self.distance_measure))
        check_threshold(self.threshold)

    def measure(
        self, retrieved_contexts: Sequence[str], reference_contexts: Sequence[str]
    ) -> MetricResult:
        """Hold each context against all reference contexts."""
        if not has_context(reference_contexts):
            raise Unscored("no_reference", "there are no reference contexts, or only blank ones")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        measure = measure_of(self.distance_measure)
        found = [best_match(text, reference_contexts, measure) for text in retrieved_contexts]
        relevant = [match.holds(self.threshold) for match in found]
        evidence = tuple(
            Evidence(
                f"context {n + 1}",
                "relevant" if relevant[n] else "irrelevant",
                reason=f"most like reference context {match.index + 1}",
                spans=(whole("retrieved_contexts", retrieved_contexts[n], n),),
                weight=match.similarity,
            )
            for n, match in enumerate(found)
        )
        ranks = ", ".join(str(n) for n, yes in enumerate(relevant, start=1) if yes) or "none"
        reason = f"{sum(relevant)} of {len(relevant)} contexts relevant, at rank {ranks}"
        return MetricResult(average_precision(relevant), reason=reason, evidence=evidence)

"""Context recall without a judge: how many reference contexts are like one that was retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._similarity import DistanceMeasure
from ragstone.metrics._texts import blank, has_context, no_context, whole
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._likeness import best_match, check_threshold, measure_of
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["NonLLMContextRecall"]


@dataclass(frozen=True, kw_only=True)
class NonLLMContextRecall(Metric):
    """Share of the reference contexts that are like a context, 0 to 1, higher is better.

    A reference context was retrieved when its string similarity to some context is at least
    `threshold`. `distance_measure` is levenshtein, hamming, jaro or jaro_winkler, or a
    NonLLMStringSimilarity. Blank reference contexts do not count. Unscored: no or only blank
    contexts (0 with `strict`); no reference context (no_reference). Source: Ragas documentation,
    non LLM based context recall.
    """

    name: str = "non_llm_context_recall"
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
        """Look for each reference context among the contexts."""
        if not has_context(reference_contexts):
            raise Unscored("no_reference", "there are no reference contexts, or only blank ones")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        measure = measure_of(self.distance_measure)
        wanted = [(n, text) for n, text in enumerate(reference_contexts) if not blank(text)]
        evidence = []
        for n, text in wanted:
            match = best_match(text, retrieved_contexts, measure)
            spans = [whole("reference_contexts", text, n)]
            if held := match.holds(self.threshold):
                most = retrieved_contexts[match.index]
                spans.append(whole("retrieved_contexts", most, match.index))
            evidence.append(
                Evidence(
                    f"reference context {n + 1}",
                    "present" if held else "missing",
                    reason=f"most like context {match.index + 1}",
                    spans=tuple(spans),
                    weight=match.similarity,
                )
            )
        present = sum(piece.verdict == "present" for piece in evidence)
        reason = f"{present} of {len(wanted)} reference contexts were retrieved"
        return MetricResult(present / len(wanted), reason=reason, evidence=tuple(evidence))

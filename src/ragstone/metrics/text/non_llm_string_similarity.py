"""String similarity: how few edits lie between response and reference."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics._similarity import DistanceMeasure, string_similarity
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.text._shared import shared_passages
from ragstone.schema.results import MetricResult

__all__ = ["NonLLMStringSimilarity"]


@dataclass(frozen=True, kw_only=True)
class NonLLMStringSimilarity(Metric):
    """1 minus the normalized edit distance of response and reference, 0 to 1, higher is better.

    `distance_measure` is levenshtein (inserted, removed and replaced characters over the longer
    length), hamming (unequal places), jaro or jaro_winkler (common characters, and a common start).
    A blank response gives 0. Unscored: a blank reference. Source: Ragas documentation, non-LLM
    string similarity; rapidfuzz counts.
    """

    name: str = "non_llm_string_similarity"
    distance_measure: DistanceMeasure = DistanceMeasure.LEVENSHTEIN

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            chosen = DistanceMeasure(self.distance_measure)
        except ValueError:
            names = ", ".join(DistanceMeasure)
            raise UsageError(
                f"distance_measure must be one of {names}, not {self.distance_measure!r}"
            ) from None
        object.__setattr__(self, "distance_measure", chosen)

    def measure(self, reference: str, response: str) -> MetricResult:
        """Compare the two strings."""
        need_text(reference, "no_reference", "reference")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        value = string_similarity(reference, response, self.distance_measure)
        return MetricResult(
            value,
            reason=f"{self.distance_measure} similarity {value:.4f}",
            evidence=shared_passages(reference, response),
        )

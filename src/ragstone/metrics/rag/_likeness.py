"""The most alike of several texts, by edit distance: what two metrics of contexts share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics._similarity import DistanceMeasure, string_similarity
from ragstone.metrics._texts import blank
from ragstone.metrics.base import Metric

__all__ = ["Match", "best_match", "check_threshold", "measure_of"]

_METRIC = "non_llm_string_similarity"


@dataclass(frozen=True, slots=True)
class Match:
    """How alike a text and the most alike of others are, 0 to 1, and which one that is."""

    similarity: float
    index: int

    def holds(self, threshold: float) -> bool:
        """Whether the two count as one."""
        return self.similarity >= threshold


def best_match(text: str, others: Sequence[str], measure: DistanceMeasure) -> Match:
    """The most alike of the others, the first of equals; a blank text is like none of them."""
    found = [
        0.0 if blank(text) or blank(other) else string_similarity(other, text, measure)
        for other in others
    ]
    best = max(range(len(found)), key=found.__getitem__)
    return Match(found[best], best)


def measure_of(given: object) -> DistanceMeasure:
    """The distance measure that a parameter names, by itself or as a string similarity metric.

    Raises UsageError for any other metric, and for an unknown measure.
    """
    if isinstance(given, Metric) and given.registered_name() == _METRIC:
        given = given.spec.parameters.get("distance_measure", DistanceMeasure.LEVENSHTEIN)
    try:
        return DistanceMeasure(str(given))
    except ValueError:
        known = ", ".join(DistanceMeasure)
        raise UsageError(
            f"distance_measure must be one of {known}, or NonLLMStringSimilarity(), not {given!r}"
        ) from None


def check_threshold(threshold: float) -> None:
    """Raise UsageError unless it lies above 0, and is at most 1."""
    if not 0 < threshold <= 1:
        raise UsageError(f"threshold must be above 0 and at most 1, not {threshold!r}")

"""How alike two strings are by edit distance, without any model."""

from __future__ import annotations

import unicodedata
from enum import StrEnum

from ragstone.errors import MissingExtra

__all__ = ["DistanceMeasure", "string_similarity"]


class DistanceMeasure(StrEnum):
    """An edit distance: what it counts as one difference between two strings."""

    LEVENSHTEIN = "levenshtein"
    HAMMING = "hamming"
    JARO = "jaro"
    JARO_WINKLER = "jaro_winkler"


def string_similarity(
    first: str, second: str, measure: DistanceMeasure = DistanceMeasure.LEVENSHTEIN
) -> float:
    """1 minus the normalized distance of two strings, 0 to 1; equal strings give 1.0.

    Characters are compared, case and white space included, in Unicode's composed form (NFC), in
    which an accent typed as a character of its own is no difference. Raises MissingExtra.
    """
    try:
        from rapidfuzz import distance
    except ImportError:
        raise MissingExtra("the similarity of strings", "text") from None
    kinds = {
        DistanceMeasure.LEVENSHTEIN: distance.Levenshtein,
        DistanceMeasure.HAMMING: distance.Hamming,
        DistanceMeasure.JARO: distance.Jaro,
        DistanceMeasure.JARO_WINKLER: distance.JaroWinkler,
    }
    composed = [unicodedata.normalize("NFC", text) for text in (first, second)]
    return 1.0 - float(kinds[DistanceMeasure(measure)].normalized_distance(*composed))

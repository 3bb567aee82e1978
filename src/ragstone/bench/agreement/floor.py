"""The floor: what the sharing of words alone tells, on the same rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from ragstone.bench.agreement.rows import Row

__all__ = [
    "Floor",
    "either",
    "in_best_context",
    "in_contexts",
    "in_contexts_with_pairs",
    "in_each_context",
    "in_response",
]

Floor = Callable[[Row], list[float]]
"""One score for each label of a row, 0 to 1."""


def in_contexts(row: Row) -> list[float]:
    """Share of the response's different words that stand in any of the contexts."""
    return [_share(row.response, " ".join(row.contexts))]


def in_best_context(row: Row) -> list[float]:
    """Share of the response's different words in the one context that has most of them."""
    return [max(_share(row.response, context) for context in row.contexts)]


def in_contexts_with_pairs(row: Row) -> list[float]:
    """Mean of the shares of the response's words and of its pairs of words in the contexts.

    Summaries take nearly all their words from the text; which words stand together tells more.
    """
    ours, theirs = _pairs(row.response), _pairs(" ".join(row.contexts))
    pairs = len(ours & theirs) / max(1, len(ours))
    return [(in_contexts(row)[0] + pairs) / 2]


def in_each_context(row: Row) -> list[float]:
    """Share of the different words of question and response that stand in each context."""
    return [_share(f"{row.question} {row.response}", context) for context in row.contexts]


def in_response(row: Row) -> list[float]:
    """Share of a reference's different words in the response; the reference that has most."""
    return [max(_share(reference, row.response) for reference in row.references)]


def either(row: Row) -> list[float]:
    """Shared words of response and reference, of all their different words (Jaccard)."""
    ours, theirs = _words(row.response), _words(row.references[0])
    return [len(ours & theirs) / max(1, len(ours | theirs))]


def _share(text: str, within: str) -> float:
    words = _words(text)
    return len(words & _words(within)) / max(1, len(words))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(re.findall(r"\w+", text.lower())))

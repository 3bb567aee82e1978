"""Which passages response and reference have in common: the evidence of the text metrics."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from ragstone.errors import MissingExtra
from ragstone.metrics.text._words import Word, words
from ragstone.schema.results import Evidence, Span

__all__ = ["common_length", "shared_passages"]

_MOST = 400_000_000  # pairs of words, about 50 MB while they are compared


def shared_passages(reference: str, response: str) -> tuple[Evidence, ...]:
    """Runs of words that stand in both texts in the same order, leaving out as few as can be.

    None for texts that are too long to be compared word by word (20,000 words each).
    """
    theirs, ours = words(reference), words(response)
    if len(theirs) * len(ours) > _MOST:
        return ()
    return tuple(
        _passage(reference, response, theirs[op.src_start : op.src_end], ours[op.dest_start :])
        for op in _lcs().opcodes(_texts(theirs), _texts(ours))
        if op.tag == "equal"
    )


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence of two lists of words."""
    return int(_lcs().similarity(first, second))


def _lcs() -> ModuleType:
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError:
        raise MissingExtra("the comparison of words", "text") from None
    return LCSseq


def _texts(found: Sequence[Word]) -> list[str]:
    return [word.text for word in found]


def _passage(
    reference: str, response: str, theirs: Sequence[Word], after: Sequence[Word]
) -> Evidence:
    ours = after[: len(theirs)]
    place = Span("response", ours[0].start, ours[-1].end)
    other = Span("reference", theirs[0].start, theirs[-1].end)
    return Evidence(response[place.start : place.end], "shared", spans=(place, other))

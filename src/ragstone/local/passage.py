"""The passage that is read beside a claim: its closest windows, in the order of the evidence."""

from __future__ import annotations

from itertools import pairwise

from ragstone.local.match import Match
from ragstone.local.windows import Window

__all__ = ["GAP", "READ_WORDS", "passage"]

GAP = " ... "
"""Stands between two windows that do not follow each other."""

READ_WORDS = 90
"""Words of evidence that a cross-encoder reads beside a claim; it was trained on so many."""


def passage(match: Match, words: int) -> str:
    """The closest windows that fit in so many words, the first of them whole in any case.

    What is read is bounded however long the evidence is, and a fact that two distant sentences
    state together can still be seen.
    """
    chosen: list[Window] = []
    left = words
    for found in match.found:
        size = len(found.window.text.split())
        if chosen and size > left:
            continue
        chosen.append(found.window)
        left -= size
    chosen.sort(key=lambda window: window.first)
    text = chosen[0].text
    for before, window in pairwise(chosen):
        follows = before.last + 1 == window.first and before.context == window.context
        text += (" " if follows else GAP) + window.text
    return text

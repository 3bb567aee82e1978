"""Evidence windows: one to three neighbouring sentences of one context, the unit of a comparison.

A window is a stretch of its context, so it can be quoted and marked. Only single sentences go
through the model; the vector of a longer window is the sum of its sentences' vectors weighted by
their length. So the cost grows with the length of the evidence, not with three times it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragstone.local.terms import terms
from ragstone.tools.sentences import Piece, sentences

__all__ = ["MAX_SENTENCES", "MAX_WORDS", "Window", "sentence_pieces", "windows"]

MAX_SENTENCES = 3
"""Sentences of a window at most."""
MAX_WORDS = 60
"""A longer sentence, such as a page without full stops, is cut in parts of this many words."""

_WORDS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Window:
    """Characters `start` to `end` of context number `context`, sentences `first` to `last`.

    The sentences are numbered through all contexts, `last` inclusive.
    """

    text: str
    context: int
    start: int
    end: int
    first: int
    last: int


@lru_cache(maxsize=4096)
def sentence_pieces(context: str) -> tuple[Piece, ...]:
    """The sentences and lines of a context, cut further where longer than 60 words."""
    return tuple(
        part
        for sentence in sentences(context)
        for line in _lines(sentence)
        for part in _short(line)
        if terms(part.text)
    )


def _lines(piece: Piece) -> Iterator[Piece]:
    """The lines of a piece, where the text is set in lines that are whole (lists, code)."""
    for match in re.finditer(r"[^\n]+", piece.text):
        yield Piece.of(piece.text, *match.span()).moved(piece.start)


def _short(piece: Piece) -> Iterator[Piece]:
    words = [match.span() for match in _WORDS.finditer(piece.text)]
    for at in range(0, len(words), MAX_WORDS):
        chunk = words[at : at + MAX_WORDS]
        yield Piece.of(piece.text, chunk[0][0], chunk[-1][1]).moved(piece.start)


def windows(contexts: Sequence[str]) -> list[Window]:
    """All windows of all contexts; none crosses the border of a context."""
    found: list[Window] = []
    offset = 0
    for number, context in enumerate(contexts):
        pieces = sentence_pieces(context)
        for first in range(len(pieces)):
            for last in range(first, min(first + MAX_SENTENCES, len(pieces))):
                start, end = pieces[first].start, pieces[last].end
                text = context[start:end]
                found.append(Window(text, number, start, end, offset + first, offset + last))
        offset += len(pieces)
    return found

"""The sentences of a response and of its contexts, split once for all metrics of a message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragstone.schema.results import Span
from ragstone.tools.sentences import Piece, sentences

__all__ = ["Sentence", "context_sentences", "response_sentences"]

_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where it stands in the sample."""

    text: str
    span: Span


def response_sentences(response: str) -> list[Sentence]:
    """The sentences of the response in order; what has no letter or digit is none."""
    return [_placed(piece, "response", None) for piece in _pieces(response)]


def context_sentences(contexts: Sequence[str]) -> list[Sentence]:
    """The sentences of all contexts in order."""
    return [
        _placed(piece, "retrieved_contexts", number)
        for number, text in enumerate(contexts)
        for piece in _pieces(text)
    ]


def _placed(piece: Piece, field: str, index: int | None) -> Sentence:
    return Sentence(piece.text, Span(field, piece.start, piece.end, index))


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[Piece, ...]:
    """The lines of the sentences: in a list or table each line says something of its own."""
    return tuple(
        line
        for sentence in sentences(text)
        for found in _LINE.finditer(sentence.text)
        if _WORD.search((line := Piece.of(sentence.text, *found.span()).moved(sentence.start)).text)
    )

"""Sentences of a text by the punctuation of any language, with their places in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

__all__ = ["Piece", "sentences", "statements"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: the exact characters from `start` to `end` (exclusive)."""

    text: str
    start: int
    end: int

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Piece:
        """The stretch without the blanks around it."""
        inner = text[start:end]
        start += len(inner) - len(inner.lstrip())
        end = start + len(inner.strip())
        return cls(text[start:end], start, end)

    def moved(self, by: int) -> Piece:
        """The same stretch of a longer text in which this piece's text begins at `by`."""
        return Piece(self.text, self.start + by, self.end + by)


_CLOSERS = "\"'”’»」』)\\]*_`"
_STOP = re.compile(
    # possessive and from the first mark only, so that 20,000 dots are read once
    rf"(?<![.!?…।؟۔])[.!?…।؟۔]++[{_CLOSERS}]*+(?=\s)"  # followed by a blank in most scripts
    rf"|[。！？｡]++[{_CLOSERS}）]*+"  # by nothing in Chinese and Japanese
    r"|\n\s*\n"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“])(?:(?:mr|mrs|ms|dr|prof|st|sr|jr|gen|col|lt|capt|sen|rep|gov|rev|hon|"
    r"fig|figs|eq|eqs|no|nos|vol|ch|sec|pp|p|ed|eds|cf|vs|etc|al|approx|ca|inc|ltd|co|corp|dept|"
    r"est|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|e\.g|i\.e|a\.m|p\.m|z\.b|d\.h|bzw|usw|"
    r"nr|str|sra|srta|mme|mlle)\.|(?:[^\W\d_]\.)+)$",
    re.IGNORECASE,
)
_ENDS_ANYWAY = re.compile(r"(?:etc|inc|ltd|co|corp|jr|sr|a\.m|p\.m|usw)\.$", re.IGNORECASE)
_NEXT = re.compile(r"\S")
_ENTRY = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•‣]|\d{1,3}[.)])[ \t]+")
_SAYS = re.compile(r"[^\W_]")
_NUMBERING = re.compile(r"(?:^|\n)\s*\d+\.$")


def sentences(text: str) -> list[Piece]:
    """The sentences in order; what has no full stop is kept, and nothing but blanks is dropped."""
    cuts = [0, *_cuts(text), len(text)]
    pieces = (Piece.of(text, start, end) for start, end in pairwise(cuts))
    return [piece for piece in pieces if piece.text]


def statements(text: str) -> list[Piece]:
    """The sentences in order, each entry of a list apart; what has no letter or digit is none."""
    marks = list(_ENTRY.finditer(text))
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    return [
        piece.moved(start)
        for start, end in zip(starts, ends, strict=True)
        for piece in sentences(text[start:end])
        if _SAYS.search(piece.text)
    ]


def _cuts(text: str) -> Iterator[int]:
    start = 0
    for match in _STOP.finditer(text):
        if not _goes_on(text, start, match):
            start = match.end()
            yield start


@lru_cache(maxsize=64)
def _capitals(text: str) -> bool:
    """Whether sentences of a text could be told by their capitals."""
    return any(letter.isupper() for letter in text)


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the sentence goes on after this full stop."""
    follows = _NEXT.search(text, match.end())
    after = follows.group() if follows else ""
    if after.islower() and _capitals(text):
        # 'She works at Yahoo! in California', '"Is it?" she asked'; but a question alone is whole
        return match.group()[0] in ".…!" or match.group()[-1] not in "?؟"
    if match.group()[0] not in ".…":
        return False
    before = text[max(start, match.start() - 20) : match.start() + 1]
    if _NUMBERING.search(before):
        return True
    return bool(_ABBREVIATION.search(before)) and not (
        _ENDS_ANYWAY.search(before) and after.isupper()
    )

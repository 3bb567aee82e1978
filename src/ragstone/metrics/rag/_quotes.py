"""Quotations in a text, and where a text holds one."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Folded", "Quotation", "quotations"]

_PAIRS = {
    '"': '"',
    "“": "”",
    "„": '“”"',
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "＂": "＂",
}
"""Opening mark -> marks that may close it. Apostrophes and single quotes open nothing."""

_OPENING = re.compile(f'(?<!\\d)"|[{"".join(_PAIRS)[1:]}]')
_PARAGRAPH = re.compile(r"\n\s*\n")
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_AROUND = " \t\n.,;:!?…。，、；：！？،؛؟।"
_CLUSTER = re.compile(r"\s+|\S")
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-"})


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words between two marks, and their place in the text (end exclusive)."""

    text: str
    start: int
    end: int

    @property
    def words(self) -> int:
        """How many words; a character of a script without spaces counts as one."""
        return sum(any(map(str.isalnum, word)) for word in _WORD.findall(self.text))


def quotations(text: str) -> Iterator[Quotation]:
    """The quotations in order, each from a mark to the next mark that closes it.

    Marks pair by kind, so a quotation inside another of a different kind belongs to the outer one.
    A mark that nothing closes in its paragraph opens nothing, nor does the one after 5 in 5" wide.
    """
    start = 0
    for paragraph in [*_PARAGRAPH.finditer(text), None]:
        end = paragraph.start() if paragraph else len(text)
        yield from _quoted(text, start, end)
        start = paragraph.end() if paragraph else end


def _quoted(text: str, at: int, last: int) -> Iterator[Quotation]:
    never_closed: set[str] = set()
    while match := _OPENING.search(text, at, last):
        start = at = match.end()
        if match.group() in never_closed:
            continue
        ends = [text.find(mark, start, last) for mark in _PAIRS[match.group()]]
        if found := [end for end in ends if end >= 0]:
            at = min(found) + 1
            yield Quotation(text[start : min(found)], start, min(found))
        else:
            never_closed.add(match.group())


class Folded:
    """A text in which quotations are looked for, whatever their white space and Unicode form.

    Curly and straight marks inside them are the same, and so are dashes of any length.
    """

    def __init__(self, text: str, *, casefold: bool) -> None:
        self._casefold = casefold
        self._starts: list[int] = []  # of each character of the original text
        self._offsets: list[int] = []  # where its folded form begins
        parts: list[str] = []
        length = 0
        for start, piece in _clusters(text):
            folded = self._fold(piece)
            self._starts.append(start)
            self._offsets.append(length)
            parts.append(folded)
            length += len(folded)
        self._starts.append(len(text))
        self._text = "".join(parts)

    def find(self, quotation: str) -> tuple[int, int] | None:
        """The first place in the original text that holds the words of a quotation.

        Punctuation at the ends of the quotation does not count: it may be that of the sentence
        around it.
        """
        wanted = "".join(self._fold(piece) for _, piece in _clusters(quotation.strip(_AROUND)))
        at = self._text.find(wanted) if wanted else -1
        if at < 0:
            return None
        first = bisect_right(self._offsets, at) - 1
        last = bisect_right(self._offsets, at + len(wanted) - 1)
        return self._starts[first], self._starts[last]

    def _fold(self, piece: str) -> str:
        if piece.isspace():
            return " "
        plain = unicodedata.normalize("NFKC", piece).translate(_PLAIN)
        return plain.casefold() if self._casefold else plain


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """The characters, each with the accents after it, and the runs of white space."""
    start, piece = 0, ""
    for match in _CLUSTER.finditer(text):
        if piece and unicodedata.combining(match.group()[0]):
            piece += match.group()
            continue
        if piece:
            yield start, piece
        start, piece = match.start(), match.group()
    if piece:
        yield start, piece

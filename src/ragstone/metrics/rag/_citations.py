"""Citations: the numbers in brackets of a response, and what each stands behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragstone.schema.results import Span
from ragstone.tools.sentences import Piece, sentences

__all__ = ["Cited", "cited_statements"]

_NUMBERS = r"\^?\s*\d{1,3}(?:\s*[-–—,;，、]\s*\^?\d{1,3})*\s*"
_ONE = rf"(?:\[{_NUMBERS}\]|【{_NUMBERS}】|［{_NUMBERS}］)"
_GROUP = re.compile(rf"{_ONE}(?:[ \t,;]*{_ONE})*")
_RANGE = re.compile(r"(\d{1,3})(?:\s*[-–—]\s*\^?(\d{1,3}))?")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_LIST = re.compile(  # what follows "Sources:" on a line of its own is a list, not a statement
    r"^[\s#*_]*(?:sources?|references?|citations?|bibliography|quellen|sources utilisées|fuentes|"
    r"参考文献|参考资料|来源|出典|المصادر|المراجع|स्रोत)[\s*_]*[:：]?[\s*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_WORDS = re.compile(r"\w")
_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?。，；：！？।،؟])")
_LEAST = 8  # letters and digits: "According to [1]" has a statement, "and" before [2] has none
_WIDEST = 100  # numbers in a range: [1-999] is no citation


@dataclass(frozen=True, slots=True)
class Cited:
    """A statement of the response with the numbers that it cites, in order, each once.

    `marks` are the places of the brackets, `place` that of the statement.
    """

    text: str
    numbers: tuple[int, ...]
    place: Span
    marks: tuple[Span, ...]


def cited_statements(response: str) -> list[Cited]:
    """The statements with their citations; one without any has no numbers.

    A statement is a sentence, or the part of it up to a bracket when several brackets stand in it.
    Brackets after a full stop belong to the sentence before, those that open a line to the one
    that follows. Code and a closing list of sources are left out.
    """
    text = _CODE.sub(_blanks, response)
    if closing := _closing_list(text):
        text = text[:closing]
    groups = list(_GROUP.finditer(text))
    plain = _GROUP.sub(_blanks, text)
    pieces = [piece for piece in sentences(plain) if _WORDS.search(piece.text)]
    owned: dict[int, list[re.Match[str]]] = {}
    for group in groups:
        if (owner := _owner(group, pieces, text)) is not None:
            owned.setdefault(owner, []).append(group)
    return [
        cited
        for number, piece in enumerate(pieces)
        for cited in _split(piece, owned.get(number, []), plain)
    ]


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _closing_list(text: str) -> int | None:
    heads = [head.start() for head in _LIST.finditer(text) if _GROUP.search(text, head.end())]
    return heads[-1] if heads else None


def _owner(group: re.Match[str], pieces: Sequence[Piece], text: str) -> int | None:
    """The sentence that a bracket stands in, or behind, or before."""
    after = [n for n, piece in enumerate(pieces) if piece.end > group.start()]
    if after and pieces[after[0]].start <= group.start():
        return after[0]
    before = after[0] - 1 if after else len(pieces) - 1
    if before >= 0 and "\n" not in text[pieces[before].end : group.start()]:
        return before
    return after[0] if after else (before if before >= 0 else None)


def _split(piece: Piece, groups: Sequence[re.Match[str]], plain: str) -> Iterator[Cited]:
    """One statement for each bracket, or the whole sentence when there is only one, or none."""
    start = piece.start
    for group in groups:
        end = min(max(group.start(), start), piece.end)
        part = Piece.of(plain, start, end)
        if len(groups) == 1 or len(_WORDS.findall(part.text)) < _LEAST:
            part = piece
        yield _cited(part, (group,))
        start = min(group.end(), piece.end)
    if not groups:
        yield _cited(piece, ())


def _cited(part: Piece, groups: Sequence[re.Match[str]]) -> Cited:
    numbers = [number for group in groups for number in _numbers(group.group())]
    return Cited(
        _BEFORE_STOP.sub("", " ".join(part.text.split())),
        tuple(dict.fromkeys(numbers)),
        Span("response", part.start, part.end),
        tuple(Span("response", group.start(), group.end()) for group in groups),
    )


def _numbers(group: str) -> Iterator[int]:
    for match in _RANGE.finditer(group):
        first, last = int(match[1]), int(match[2] or match[1])
        yield from range(first, last + 1) if 0 <= last - first < _WIDEST else (first, last)

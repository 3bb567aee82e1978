"""The blocks of a text that may be Markdown: prose, list items, headings, table rows, code.

A list marker counts only at the start of a line, so `**bold**` and `2*10^6` stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ragstone.tools.sentences import Piece

__all__ = ["Block", "blocks"]

Kind = Literal["prose", "item", "heading", "row", "code"]

_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+|\s*(?=\*\*[^*\n]+\*\*:?\s*$)")
_MARKER = re.compile(r"\s*(?:[*+•‣◦–-]|\d{1,3}[.)]|[a-zA-Z][)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$")
_QUOTE = re.compile(r"\s*>\s?")


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its kind, and its text without the marker."""

    kind: Kind
    piece: Piece


@dataclass
class _Line:
    """A line of a block, or without a kind a blank, rule or fence; `under` is a table's rule."""

    kind: Kind | None
    start: int
    end: int
    under: bool = False


def blocks(text: str) -> list[Block]:
    """The blocks in order. Rules, blank lines and the head row of a table are left out."""
    found: list[Block] = []
    lines = list(_lines(text))
    n = 0
    while n < len(lines):
        line, last = lines[n], n
        if line.kind in ("prose", "item", "code"):
            follows = "code" if line.kind == "code" else "prose"
            while last + 1 < len(lines) and lines[last + 1].kind == follows:
                last += 1
        head = line.kind == "row" and n + 1 < len(lines) and lines[n + 1].under
        if line.kind is not None and not head:
            piece = Piece.of(text, line.start, lines[last].end)
            if piece.text:
                found.append(Block(line.kind, piece))
        n = last + 1
    return found


def _lines(text: str) -> Iterator[_Line]:
    """Each line with its kind; `start` lies behind the marker."""
    in_code, at = False, 0
    for raw in text.splitlines(keepends=True):
        start, end = at, at + len(raw)
        at = end
        if _FENCE.match(raw):
            in_code = not in_code
            yield _Line(None, start, end)
        elif in_code:
            yield _Line("code", start, end)
        else:
            yield _line(raw, start, end)


def _line(raw: str, start: int, end: int) -> _Line:
    quote = _QUOTE.match(raw)
    skip = quote.end() if quote else 0
    rest = raw[skip:]
    if not rest.strip():
        return _Line(None, start, end)
    if _RULE.match(rest):
        return _Line(None, start, end)
    if _TABLE_RULE.match(rest):
        return _Line(None, start, end, under=True)
    if _ROW.match(rest):
        return _row(rest, start + skip, end)
    if found := _HEADING.match(rest):
        return _Line("heading", start + skip + found.end(), end)
    if found := _MARKER.match(rest):
        return _Line("item", start + skip + found.end(), end)
    return _Line("prose", start + skip, end)


def _row(rest: str, start: int, end: int) -> _Line:
    """A table row without its outer bars."""
    body = rest.rstrip()
    return _Line("row", start + rest.index("|") + 1, start + len(body) - 1)

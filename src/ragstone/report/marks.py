"""Foreign text as HTML that stays text, with the stretches marked that verdicts point at."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ragstone.report.verdicts import SIGNS, Tone, strongest

__all__ = ["Mark", "marked", "shown"]

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a text, end exclusive, and the evidence that points at it.

    `tag` names the evidence ("A2"), `anchor` is the id that a link to the mark has.
    """

    start: int
    end: int
    tag: str
    tone: Tone
    anchor: str


def shown(text: str) -> Markup:
    """The text escaped; control characters and changes of direction are named and without effect.

    NUL, which HTML cannot hold, becomes its picture U+2400.
    """
    return Markup(_CONTROL.sub(_named, html.escape(text)))


def marked(text: str, marks: Iterable[Mark]) -> Markup:
    """The text with marks. Overlapping marks become neighbors, so that the HTML nests well.

    Marks are clipped to the text; empty ones are dropped. What is inside the tags is the text.
    """
    kept = [mark for mark in marks if max(0, mark.start) < min(mark.end, len(text))]
    cuts = {max(0, mark.start) for mark in kept} | {min(mark.end, len(text)) for mark in kept}
    edges = sorted(cuts | {0, len(text)})
    parts = (_piece(text, a, b, kept) for a, b in itertools.pairwise(edges))
    return Markup("").join(parts)


def _piece(text: str, start: int, end: int, marks: Sequence[Mark]) -> Markup:
    here = [mark for mark in marks if mark.start <= start < mark.end]
    inner = shown(text[start:end])
    if not here:
        return inner
    limit = len(text)
    anchors = [mark.anchor for mark in here if max(0, mark.start) == start]
    ending = [mark for mark in here if min(mark.end, limit) == end]
    label = " ".join(f"{mark.tag}{SIGNS[mark.tone]}" for mark in ending)
    keys = " ".join(mark.tag for mark in here)
    ids = "".join(f'<i id="{anchor}"></i>' for anchor in anchors)
    tone = strongest(mark.tone for mark in here)
    shown_label = f' data-l="{label}"' if label else ""
    return Markup(f'{ids}<mark class="{tone}" data-k="{keys}"{shown_label}>{inner}</mark>')


def _named(match: re.Match[str]) -> str:
    char = match.group()
    inside = "\u2400" if char == "\x00" else char
    return f'<span class="ctl" data-c="U+{ord(char):04X}">{inside}</span>'

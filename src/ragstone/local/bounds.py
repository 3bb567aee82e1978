"""Bounds: whether a number is exact or the end of a range, and which end."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Bound", "bound_before", "positive_bounds", "without_bounds"]

Bound = Literal["", "upper", "lower", "open"]
"""Exact; at most; at least; the end of a range without a direction ("between", "mid")."""

_GREATER = r"(?:more|greater|larger|higher|longer|bigger|later|older|heavier|faster)\s+than"
_SMALLER = r"(?:less|fewer|smaller|lower|shorter|earlier|younger|lighter|slower)\s+than"
_OVER = rf"(?:exceed(?:s|ed|ing)?|goes? (?:above|over|beyond)|above|over|beyond|{_GREATER})"
_NOT = r"(?:no|not|never|cannot|can't|won't|doesn't|don't|mustn't)(?:\s+\w+){0,2}?"
_REST = r"(?:\s+(?:of|to|is|are|the|a))*\s*[€$£¥]?\s*$"
_UPPER = re.compile(
    rf"(?:\b{_NOT}\s+{_OVER}|\b(?:under|below|at most|up to|within|maximum|before|until|till)"
    rf"|\b{_SMALLER}|[<≤]){_REST}",
    re.IGNORECASE,
)
_LOWER = re.compile(
    rf"(?:\b{_NOT}\s+{_SMALLER}|\b(?:at least|minimum|after|since)|\b{_OVER}|[>≥]){_REST}",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?:\b(?:by|between|from|to|than|late|early|mid|over|under)|[-–])[\s-]*$", re.IGNORECASE
)
_COUNT = (
    r"(?=\s+(?:[€$£¥]\s?)?(?:\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve|twenty|thirty|forty|fifty|sixty|ninety|half)\b))"
)
_PHRASE = re.compile(rf"\b{_NOT}\s+(?:{_OVER}|{_SMALLER}){_COUNT}", re.IGNORECASE)
_AT_MOST = re.compile(rf"\b{_NOT}\s+{_OVER}{_COUNT}", re.IGNORECASE)
_AT_LEAST = re.compile(rf"\b{_NOT}\s+{_SMALLER}{_COUNT}", re.IGNORECASE)
_LOOK_BACK = 48


def bound_before(text: str, at: int) -> Bound:
    """The bound that the words before place `at` of a text put on the number there."""
    before = text[max(0, at - _LOOK_BACK) : at]
    if _UPPER.search(before):
        return "upper"
    if _LOWER.search(before):
        return "lower"
    return "open" if _OPEN.search(before) else ""


def without_bounds(text: str) -> str:
    """A text without "never more than" and the like: they set a limit and negate nothing."""
    return _PHRASE.sub(lambda found: " " * len(found.group()), text)


def positive_bounds(text: str) -> str:
    """A text with "at most" for "never more than" and the like: a limit without its negation."""
    return _AT_LEAST.sub("at least", _AT_MOST.sub("at most", text))

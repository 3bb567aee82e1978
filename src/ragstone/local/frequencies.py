"""Frequencies: twice a day = two times per day = every twelve hours, as times a day."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Frequency", "frequencies"]

_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4375, "year": 365.25}
_PERIOD = "|".join(_DAYS)
_ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annually": "year",
}
_COUNT = r"(?:\d+|[a-z]+)"
_PATTERN = re.compile(
    rf"""\b(?:
    (?P<times>once|twice|thrice|(?P<count>{_COUNT})\s+times)
      \s+(?:a|an|per|each|every|in\s+a)\s+(?P<period>{_PERIOD})
  | every\s+(?:(?P<every>other|{_COUNT})\s+)?(?P<gap>{_PERIOD})s?
  | (?P<adverb>{"|".join(_ADVERBS)})
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMED = {"once": 1.0, "twice": 2.0, "thrice": 3.0, "other": 2.0}


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often, in times a day, and the stretch of the text that says so."""

    a_day: float
    start: int
    end: int


def frequencies(text: str, count: Callable[[str], float | None]) -> Iterator[Frequency]:
    """The frequencies of a text in order; `count` reads a number in figures or words."""
    for match in _PATTERN.finditer(text):
        a_day = _read(match, count)
        if a_day is not None:
            yield Frequency(round(a_day, 6), *match.span())


def _read(match: re.Match[str], count: Callable[[str], float | None]) -> float | None:
    part = {name: text and text.casefold() for name, text in match.groupdict().items()}
    if part["adverb"]:
        return 1 / _DAYS[_ADVERBS[part["adverb"]]]
    if part["gap"]:
        gap = 1.0 if part["every"] is None else _value(part["every"], count)
        return 1 / (gap * _DAYS[part["gap"]]) if gap else None
    times = _value(part["count"] or part["times"], count)
    return None if times is None else times / _DAYS[part["period"]]


def _value(word: str, count: Callable[[str], float | None]) -> float | None:
    return _NAMED[word] if word in _NAMED else count(word)

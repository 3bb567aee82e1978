"""Dates in texts, in one form: Jan 15, 1967 = 15 January 1967 = 1967-01-15."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Date", "agrees", "dates"]

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_FORMS = tuple(
    re.compile(rf"(?<![\w.-]){form}(?!\w|[.,/-]\d)", re.IGNORECASE)
    for form in (
        rf"{_MONTH}\s+{_DAY}(?:\s*,?\s+{_YEAR})?",
        rf"{_DAY}(?:\s+of)?\s+{_MONTH}(?:\s*,?\s+{_YEAR})?",
        rf"{_MONTH}\s*,?\s+(?:of\s+)?{_YEAR}",
        rf"{_YEAR}[-/](?P<number>\d{{1,2}})[-/](?P<day>\d{{1,2}})",
        rf"(?P<one>\d{{1,2}})([./-])(?P<other>\d{{1,2}})\2{_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date as far as it is given, and the stretch of text that gives it.

    `swapped` says that day and month may also be read the other way round: 3/4/2020.
    """

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int
    swapped: bool = False

    def readings(self) -> Iterator[tuple[int | None, int | None, int | None]]:
        """Year, month and day, in each way in which the date can be read."""
        yield self.year, self.month, self.day
        if self.swapped:
            yield self.year, self.day, self.month


@lru_cache(maxsize=1024)
def dates(text: str) -> tuple[Date, ...]:
    """The dates of a text in order, those with a month; English month names or figures."""
    found: list[Date] = []
    for form in _FORMS:
        for match in form.finditer(text):
            date = _read(match)
            if date is not None and not any(_overlap(date, other) for other in found):
                found.append(date)
    return tuple(sorted(found, key=lambda date: date.start))


def agrees(claimed: Date, known: Date) -> bool:
    """Whether a known date gives all that a claimed one says; it may say more."""
    return any(
        all(part is None or part == given for part, given in zip(one, other, strict=True))
        for one in claimed.readings()
        for other in known.readings()
    )


def _overlap(one: Date, other: Date) -> bool:
    return one.start < other.end and other.start < one.end


def _read(match: re.Match[str]) -> Date | None:
    part = match.groupdict()
    year = int(part["year"]) if part.get("year") else None
    start, end = match.span()
    if part.get("one"):
        return _figures(year, int(part["one"]), int(part["other"]), start, end)
    day = int(part["day"]) if part.get("day") else None
    month = int(part["number"]) if part.get("number") else _month(part["month"])
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(year, month, day, start, end)


def _figures(year: int | None, one: int, other: int, start: int, end: int) -> Date | None:
    """A date in figures alone: the larger is the day when only one can be a month."""
    low, high = sorted((one, other))
    if not (1 <= low <= 12 and high <= 31):
        return None
    return Date(year, low, high, start, end, swapped=high <= 12)


def _month(name: str) -> int:
    short = name.casefold()[:3]
    return next(n for n, month in enumerate(_MONTHS, start=1) if month.startswith(short))

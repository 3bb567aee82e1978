"""Numbers in texts, in one form: 1,149 = 1149, two = 2, 10 % = 10 percent, 8 pm = 20:00."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ragstone.local.bounds import Bound, bound_before
from ragstone.local.frequencies import frequencies
from ragstone.local.units import incompatible, unit_after
from ragstone.local.wordlists import word_list

__all__ = ["Number", "clashes", "comparable", "keeps", "numbers", "same"]

Kind = Literal["time", "percent", "year", "decade", "version", "frequency", "plain"]

_SMALL = {word: n for n, word in enumerate(word_list("units"))}
_SMALL |= {word: 10 * n for n, word in enumerate(word_list("tens"), start=2)}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "k": 1e3,
    "m": 1e6,
    "bn": 1e9,
}
_WORDS = "|".join(sorted(_SMALL, key=len, reverse=True))
_LONG_SCALES = "hundred|thousand|million|billion|trillion"
_PATTERN = re.compile(
    rf"""(?<![\w.])(?:
    (?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?:\s?(?P<half>[ap])\.?m\b)?
  | (?P<clock>\d{{1,2}})\s?(?P<clockhalf>[ap])\.?m\b
  | (?P<decade>\d{{3}}0)['’]?s\b
  | (?P<version>\d+(?:\.\d+){{2,}})
  | (?P<digits>\d{{1,3}}(?:[,\u202f\u00a0']\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
    (?:st|nd|rd|th)?(?:\s?(?P<scale>{_LONG_SCALES})|(?P<short>k|m|bn))?(?![\w])(?P<percent>\s?(?:%|percent))?
  | (?P<digitsunit>\d+(?:\.\d+)?)(?=[a-z])
  | (?P<words>\b(?:{_WORDS})(?:[-\s](?:{_WORDS}|{_LONG_SCALES}))*)\b(?P<wordpercent>\s?percent)?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ABOUT = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|circa|ca\.|~)\s*$", re.I
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number: its value (minutes for a time of day), what it counts, and how it is written.

    `unit` is the word after it, lower case, "" if there is none. `rough` says that the text calls
    it approximate, `bound` which end of a range it is ("before 1932", "more than 5"), "" for none.
    `start` is its place in the text. A frequency's value is in times a day.
    """

    value: float | str
    kind: Kind
    unit: str
    text: str
    start: int = 0
    rough: bool = False
    bound: Bound = ""

    @property
    def form(self) -> str:
        """The same for all ways to write it, and no word's form."""
        mark = {"time": ":", "percent": "%", "decade": "s", "frequency": "/day"}.get(self.kind, "")
        return f"#{self.value}{mark}"


@lru_cache(maxsize=8192)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text in order. A lone "one" is a pronoun more often, and left out."""
    found = [
        Number(often.a_day, "frequency", "", text[often.start : often.end], often.start)
        for often in frequencies(text, _counted)
    ]
    for match in _PATTERN.finditer(text):
        start = match.start()
        read = _read(match)
        if read is not None and not any(n.start <= start < n.start + len(n.text) for n in found):
            value, kind = read
            unit = unit_after(text, start, match.end())
            rough = bool(_ABOUT.search(text[max(0, start - 16) : start]))
            bound = bound_before(text, start)
            found.append(Number(value, kind, unit, match.group().strip(), start, rough, bound))
    return tuple(sorted(found, key=lambda number: number.start))


def _counted(word: str) -> float | None:
    """The value of a count in figures or one word, None when it is no number."""
    return float(word) if word.isdecimal() else _SMALL.get(word)


def _read(match: re.Match[str]) -> tuple[float | str, Kind] | None:
    part = match.groupdict()
    if part["hour"] or part["clock"]:
        half = (part["half"] or part["clockhalf"] or "").lower()
        return _minutes(int(part["hour"] or part["clock"]), int(part["minute"] or 0), half), "time"
    if part["decade"]:
        return float(part["decade"]), "decade"
    if part["version"]:
        return part["version"], "version"
    if part["words"]:
        value = _spelled(part["words"])
        kind: Kind = "percent" if part["wordpercent"] else "plain"
        return None if value is None else (value, kind)
    return _figures(part)


def _figures(part: dict[str, str | None]) -> tuple[float, Kind]:
    digits = part["digits"] or part["digitsunit"] or ""
    value = float(re.sub(r"[,'\u202f\u00a0]", "", digits))
    scale = (part["scale"] or part["short"] or "").lower()
    if part["percent"]:
        return value, "percent"
    if not scale and digits.isdigit() and len(digits) == 4 and 1000 <= value <= 2100:
        return value, "year"
    return value * _SCALES.get(scale, 1.0), "plain"


def _minutes(hour: int, minute: int, half: str) -> float:
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return float(hour * 60 + minute)


def _spelled(words: str) -> float | None:
    parts = re.split(r"[-\s]+", words.casefold())
    if parts == ["one"]:
        return None
    total = group = 0.0
    for part in parts:
        if part in _SMALL:
            group += _SMALL[part]
        elif part == "hundred":
            group = (group or 1) * 100
        else:
            total, group = total + (group or 1) * _SCALES[part], 0.0
    return total + group


def same(one: Number, other: Number) -> bool:
    """Whether two numbers have one value; within 5 % when either is called approximate."""
    if isinstance(one.value, str) or isinstance(other.value, str):
        return one.value == other.value
    if (one.kind == "decade") != (other.kind == "decade"):
        decade, year = (one, other) if one.kind == "decade" else (other, one)
        return year.kind == "year" and _within(float(year.value), float(decade.value))
    if {one.kind, other.kind} & _APART and one.kind != other.kind:
        return False
    if incompatible(one.unit, other.unit):
        return False
    wide = 0.05 if (one.rough or other.rough) and one.kind == "plain" else 1e-9
    return abs(one.value - other.value) <= wide * max(abs(one.value), abs(other.value))


_APART = {"time", "percent", "frequency"}  # kinds whose values mean something else than a count


def _within(year: float, decade: float) -> bool:
    """Whether a year lies in a decade, or in a century for "the 1800s"."""
    return 0 <= year - decade < (100 if decade % 100 == 0 else 10)


def comparable(one: Number, other: Number) -> bool:
    """Whether two numbers measure the same thing: one kind, and one unit if plain."""
    if one.kind != other.kind:
        return False
    return one.kind != "plain" or (one.unit != "" and one.unit == other.unit)


def keeps(claimed: Number, written: Number) -> bool:
    """Whether a written number lies in the open range that a claim gives: more than 5, and 7.

    A year's end keeps a wider one of the same side: before 1932 is before 1935.
    """
    if not comparable(claimed, written) or isinstance(claimed.value, str):
        return False
    wider = claimed.kind == "year" and claimed.bound == written.bound
    if written.bound and not wider:
        return False
    higher = float(written.value) > claimed.value
    return claimed.bound == ("lower" if higher else "upper")


def clashes(claimed: Number, written: Number) -> bool:
    """Whether two numbers cannot both be true of one thing.

    They measure the same and differ, or limit it from opposite sides. The end of a range does not
    clash with a number within it, nor one year's end with another: before 1932 may well be 1930.
    """
    if not comparable(claimed, written):
        return False
    limits = {claimed.bound, written.bound}
    if same(claimed, written):
        return limits == {"upper", "lower"}
    if limits == {""}:
        return True
    if claimed.kind == "year" or "open" in limits or isinstance(claimed.value, str):
        return False
    if claimed.bound == written.bound:
        return True
    return "" in limits and not keeps(claimed, written) and not keeps(written, claimed)

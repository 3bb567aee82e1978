"""Units: what a number counts, in one form: 20 euros = €20 = EUR 20, 96 °C = 96 degrees Celsius."""

from __future__ import annotations

import re
from functools import lru_cache

from ragstone.local.wordlists import word_list

__all__ = ["incompatible", "is_known", "unit_after"]

_DEGREES = re.compile(r"\s*(?:°|º|degrees?)\s*([cfk])?(?:elsius|ahrenheit|elvin)?\b", re.IGNORECASE)
_SIGN = re.compile(r"\s*([€$£¥])")
_NEXT = re.compile(r"[\s-]*([^\W\d_]+)")
_CURRENCY_BEFORE = re.compile(r"([€$£¥]|\b(?:EUR|USD|GBP))\s*$")


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """How a unit may be written -> its first name in the list."""
    groups = [entry.split("/") for entry in word_list("measures")]
    return {name: group[0] for group in groups for name in group}


def unit_after(text: str, start: int, end: int) -> str:
    """What the number at `start` to `end` of a text counts: the next word, "" if there is none."""
    currency = _CURRENCY_BEFORE.search(text[max(0, start - 5) : start])
    if currency:
        return _names()[currency.group(1).casefold()]
    degrees = _DEGREES.match(text, end)
    if degrees:
        return "°" + (degrees.group(1) or "").casefold()
    found = _SIGN.match(text, end) or _NEXT.match(text, end)
    word = found.group(1).casefold() if found else ""
    return _names().get(word) or _names().get(word.removesuffix("s")) or word.removesuffix("s")


def incompatible(one: str, other: str) -> bool:
    """Whether two units are known ones and differ, so that equal figures are different amounts."""
    return one != other and is_known(one) and is_known(other)


def is_known(unit: str) -> bool:
    """Whether a unit, as `unit_after` gives it, is a measure or currency and not any word."""
    return unit in _known()


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(_names().values()) | {"°c", "°f", "°k"}

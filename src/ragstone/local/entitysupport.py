"""Whether contexts hold an entity, in whatever form they write it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragstone.local.dates import Date, agrees, dates
from ragstone.local.names import GENERIC, KnownNames, initials, nation, stems, undotted
from ragstone.local.numbers import Number, numbers, same
from ragstone.local.terms import Term, terms
from ragstone.local.units import is_known, unit_after
from ragstone.local.wordlists import word_list

__all__ = ["held"]

_SMALL = frozenset(word_list("function_words")) | GENERIC
_APART = 2  # words that may stand between the words of one name
_MIDDLE = 3  # words from which a name has a middle that may be left out


def held(entity: str, contexts: Sequence[str]) -> str | None:
    """The words of a context that hold an entity, None when no context does.

    All its dates, numbers and name words must stand in one context: dates as far as the entity
    gives them, numbers with a unit that fits, the words of a name close together. A middle name may
    be more or less, initials stand for the words of a name, and endings do not matter.
    """
    wanted = _Parts.of(entity)
    quotes = (_held_in(wanted, context) for context in contexts)
    return next((quote for quote in quotes if quote is not None), None)


@dataclass(frozen=True)
class _Parts:
    """What a text gives: its dates, the numbers outside of them, and the words of a name."""

    text: str
    dates: tuple[Date, ...]
    numbers: tuple[Number, ...]
    words: tuple[Term, ...]

    @staticmethod
    @lru_cache(maxsize=1024)
    def of(text: str) -> _Parts:
        given = dates(text)
        outside = text
        for date in given:
            blank = " " * (date.end - date.start)
            outside = outside[: date.start] + blank + outside[date.end :]
        plain = undotted(outside)
        words = tuple(t for t in terms(plain) if not t.is_number and _says(t))
        return _Parts(text, given, numbers(outside), words)


def _says(term: Term) -> bool:
    """Whether a word of an entity must be found: neither a small word nor a unit."""
    if term.text.casefold() in _SMALL and not _capitals(term):
        return False
    return not is_known(unit_after(f"1 {term.text}", 0, 1))


def _capitals(term: Term) -> bool:
    """Whether a word is written in capitals, as WHO is."""
    return term.text.isupper() and len(term.text) > 1


def _held_in(wanted: _Parts, context: str) -> str | None:
    quotes = [
        *(_date(date, context) for date in wanted.dates),
        *(_number(number, context) for number in wanted.numbers),
    ]
    if wanted.words:
        quotes.append(_name(wanted, context))
    if not quotes:
        return _as_written(wanted.text, context)
    found = [quote for quote in quotes if quote is not None]
    return found[-1] if len(found) == len(quotes) else None


def _as_written(text: str, context: str) -> str | None:
    """The text itself, for one such as "C++" or "The Who" that has no words to look for."""
    words = r"\s+".join(re.escape(word) for word in text.split())
    found = re.search(rf"(?<!\w){words}(?!\w)", context, re.IGNORECASE) if words else None
    return found.group() if found else None


def _date(wanted: Date, context: str) -> str | None:
    known = _Parts.of(context).dates
    return next((context[d.start : d.end] for d in known if agrees(wanted, d)), None)


def _number(wanted: Number, context: str) -> str | None:
    """The same number; of a date only the year is a number of its own."""
    known = _Parts.of(context)
    found = next((n.text for n in known.numbers if same(wanted, n)), None)
    if found is None and wanted.kind == "year":
        years = (d for d in known.dates if d.year == wanted.value)
        found = next((context[d.start : d.end] for d in years), None)
    return found


def _name(wanted: _Parts, context: str) -> str | None:
    words = wanted.words
    places = _Places.of(context)
    found = [places.of_word(word) for word in words]
    if len(words) >= _MIDDLE and found[0] and found[-1] and not all(found):
        found = [found[0], found[-1]]
    near = _near(found, 1 + _APART) if all(found) else None
    if near is not None:
        return places.between(*near)
    return _by_initials(wanted.text, words, context)


def _near(found: Sequence[Sequence[int]], step: int) -> tuple[int, int] | None:
    """The first and last of places in order, one of each word, no two further apart than a step.

    Or of two words side by side the other way round: "Obama, Barack".
    """
    for first in found[0]:
        last: int | None = first
        for places in found[1:]:
            after = (p for p in places if last is not None and 0 < p - last <= step)
            last = next(after, None)
        if last is not None:
            return first, last
        if len(found) == 2 and first - 1 in found[1]:
            return first - 1, first
    return None


def _by_initials(text: str, words: Sequence[Term], context: str) -> str | None:
    """WHO where the context has the World Health Organization, and the other way round."""
    known = KnownNames.of(context)
    if len(words) == 1:
        capitals = words[0].text
        spelled = _capitals(words[0]) and capitals in known.initials.split()
        return capitals if spelled else None
    short = initials(undotted(text))
    return short if len(short) > 1 and short in known.capitals else None


class _Places:
    """Where the words of a context stand, by all forms in which they can be looked for."""

    def __init__(self, text: str) -> None:
        self._text = undotted(text)
        self._terms = terms(self._text)
        self._places: dict[str, list[int]] = {}
        for n, term in enumerate(self._terms):
            for form in stems(term.form) | nation(term.form):
                self._places.setdefault(form, []).append(n)

    @staticmethod
    @lru_cache(maxsize=256)
    def of(text: str) -> _Places:
        return _Places(text)

    def of_word(self, word: Term) -> list[int]:
        """The places of a word, inflected or as a nationality, in order.

        Capitals that are also a small word, as in WHO, are found in capitals only.
        """
        found = {place for form in stems(word.form) for place in self._places.get(form, ())}
        if word.text.casefold() in _SMALL:
            found = {place for place in found if _capitals(self._terms[place])}
        return sorted(found)

    def between(self, first: int, last: int) -> str:
        """The text from one word to another."""
        end = self._terms[last].start + len(self._terms[last].text)
        return self._text[self._terms[first].start : end]

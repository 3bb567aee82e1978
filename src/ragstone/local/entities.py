"""Entities: the names, dates, amounts and numbers of a text, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ragstone.local.dates import dates
from ragstone.local.english import annotated, may_be_english
from ragstone.local.names import GENERIC
from ragstone.local.numbers import Number, numbers
from ragstone.local.units import is_known
from ragstone.prompt.entities import EntityKind
from ragstone.tools.sentences import sentences

__all__ = ["Mention", "mentions"]

_KINDS: dict[str, EntityKind] = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "NORP": "other",
    "PRODUCT": "other",
    "EVENT": "other",
    "WORK_OF_ART": "other",
    "LAW": "other",
    "LANGUAGE": "other",
}
_EDGES = re.compile(r"^(?:[\W_]*\bthe\s+|[\W_]+)|(?:['’]s?|[\W_])+$", re.IGNORECASE)
_LINE = re.compile(r"[^\n]+")
_CAPITALIZED = re.compile(r"\b[^\W\d_][\w’'-]*(?:[ \u00a0][^\W\d_][\w’'-]*)*")
_WORD = re.compile(r"[^\s]+")
_IDENTIFIER = re.compile(r"\b[^\W\d_]\w*_\w+|\b[^\W\d_A-Z]+[A-Z]\w*")
_CURRENCY_BEFORE = re.compile(r"(?:[€$£¥]|\b(?:EUR|USD|GBP)\s?)$", re.IGNORECASE)
_UNIT = re.compile(r"\s?[€$£¥]|[\s-]?°\s?[CFK]?\b|[\s-]*[^\W\d_]+")
_CURRENCIES = frozenset(("euro", "dollar", "pound", "yen"))
_READ = 5000  # characters that are parsed at once; a longer text is cut between sentences


@dataclass(frozen=True, slots=True)
class Mention:
    """One entity: its exact characters, its kind, and where it begins."""

    text: str
    kind: EntityKind
    start: int

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        return self.start + len(self.text)


@lru_cache(maxsize=1024)
def mentions(text: str) -> tuple[Mention, ...]:
    """The entities of a text in order; none overlaps another.

    Names are those of spaCy's recognizer and its tagger's proper nouns in English text; elsewhere
    words with a capital letter that do not open a sentence, so scripts without capitals have none.
    A word such as max_length or openFile is a name in any text. Dates, amounts and numbers are
    found by rules.
    """
    found: list[Mention] = [
        Mention(text[date.start : date.end], "date", date.start) for date in dates(text)
    ]
    found = _with(found, _english_names(text) if may_be_english(text) else _capitalized(text))
    found = _with(found, _identifiers(text))
    found = _with(found, (_number(text, number) for number in numbers(text)))
    return tuple(sorted(found, key=lambda mention: mention.start))


def _with(found: list[Mention], more: Iterable[Mention]) -> list[Mention]:
    """The mentions found, and those of the others that overlap none."""
    taken = {place for mention in found for place in range(mention.start, mention.end)}
    kept = list(found)
    for mention in more:
        places = range(mention.start, mention.end)
        if places and taken.isdisjoint(places):
            kept.append(mention)
            taken.update(places)
    return kept


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    """The text in parts that can be parsed, with their places; one part as a rule."""
    if len(text) <= _READ:
        yield 0, text
        return
    start = end = 0
    for sentence in sentences(text):
        while sentence.end - start > _READ:
            cut = end if end > start else start + _READ
            yield start, text[start:cut]
            start = cut
        end = sentence.end
    yield start, text[start:]


def _english_names(text: str) -> Iterator[Mention]:
    parts = [(at, annotated(part)) for at, part in _chunks(text)]
    for at, doc in parts:
        for entity in doc.ents:
            kind = _KINDS.get(entity.label_)
            if kind is not None:
                yield from _trimmed(text, at + entity.start_char, at + entity.end_char, kind)
    for at, doc in parts:
        for start, end in _proper_nouns(doc):
            yield from _trimmed(text, at + start, at + end, "other")


def _proper_nouns(doc: Any) -> Iterator[tuple[int, int]]:
    """The runs of proper nouns."""
    start = end = -1
    for token in doc:
        if token.tag_ not in ("NNP", "NNPS"):
            continue
        if end >= 0 and token.idx - end > 1:
            yield start, end
            start = -1
        start = token.idx if start < 0 else start
        end = token.idx + len(token.text)
    if end >= 0:
        yield start, end


def _trimmed(text: str, start: int, end: int, kind: EntityKind) -> Iterator[Mention]:
    """The name in its first line, without article, quotes or possessive; if it still is a name."""
    line = _LINE.search(text, start, end)
    if line is None:
        return
    start, name = line.start(), line.group()
    while (edge := _EDGES.search(name)) and edge.group():
        if edge.start() == 0:
            start += edge.end()
            name = name[edge.end() :]
        else:
            name = name[: edge.start()]
    letters = [letter for letter in name if letter.isalpha()]
    if len(name) < 2 or name[0].isdigit() or name.casefold() in GENERIC:
        return
    if any(letter.isupper() for letter in letters) or (letters and "_" in name):
        yield Mention(name, kind, start)


def _capitalized(text: str) -> Iterator[Mention]:
    """Words with a capital letter in a row, without the one that opens a sentence."""
    openings = {sentence.start for sentence in sentences(text)}
    for run in _CAPITALIZED.finditer(text):
        start = end = -1
        for word in _WORD.finditer(run.group()):
            at = run.start() + word.start()
            if not word.group()[0].isupper() or at in openings:
                if start >= 0:
                    yield from _trimmed(text, start, end, "other")
                start = -1
                continue
            start = at if start < 0 else start
            end = at + len(word.group())
        if start >= 0:
            yield from _trimmed(text, start, end, "other")


def _identifiers(text: str) -> Iterator[Mention]:
    for match in _IDENTIFIER.finditer(text):
        yield Mention(match.group(), "other", match.start())


def _number(text: str, number: Number) -> Mention:
    """A number with its sign or unit: $1.2M, 12 km."""
    start, end = number.start, number.start + len(number.text)
    if number.kind == "year":
        return Mention(number.text, "date", start)
    if number.kind == "plain" and is_known(number.unit):
        if before := _CURRENCY_BEFORE.search(text[max(0, start - 5) : start]):
            start -= len(before.group())
        elif after := _UNIT.match(text, end):
            end = after.end()
    kind: EntityKind = "amount" if number.unit in _CURRENCIES else "number"
    return Mention(text[start:end], kind, start)

"""Answers compared: how a response stands to the reference answers of its question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragstone.local.answerwords import Word, alike, answer_words, holds, variants
from ragstone.local.encoder import Encoder
from ragstone.local.nearness import nearness
from ragstone.local.numbers import numbers, same
from ragstone.local.statements import read
from ragstone.local.units import incompatible
from ragstone.local.wordlists import word_list
from ragstone.tools.sentences import sentences

__all__ = ["Answers", "Reference"]

_TITLES = frozenset(word_list("titles"))
_GRAMMAR = frozenset(word_list("function_words"))
_NOT = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\brather than|\binstead of|\bneither|\bnor|\bunlike|\bexcept"
    r"|\bother than|\bconfused with|\bmistaken for)(?:\s+\w+){0,3}[\s\"“'‘]*$"
    r"|\beither(?:\s+\w+){0,6}\s*$",  # one of two answers is none
    re.IGNORECASE,
)
_NEGATED_QUESTION = re.compile(r"\b(?:not|never|nor|neither|except)\b|n['’]t\b", re.IGNORECASE)
_NEXT_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_])")
_READ = 3000  # characters of a response in which its answer is looked for
_LOOK_BACK = 60  # characters before an answer
_REFERENCES = 60  # a reference may come in many spellings; so many are looked at
_EMBEDDED = 3
_BRIEF = 6  # words beyond the question's up to which a response is an answer and no more
_TOLD = 0.15  # weight of a word that the question has already
_MINOR = 0.2  # weight of a title or an initial


@dataclass(frozen=True)
class Reference:
    """One way to write the answer, and how the response compares.

    `place` is the number of the word at which the response has it whole, -1 for nowhere; `recall`
    the share of its words, by weight, that the response has; `spelled` the same with other
    spellings of a word counted in. An answer that is only named to be `excluded` is not held.
    """

    text: str
    words: tuple[Word, ...]
    place: int
    recall: float
    spelled: float
    excluded: bool = False


def _closeness(reference: Reference) -> tuple[bool, float, float, bool]:
    return reference.place >= 0, reference.spelled, reference.recall, reference.excluded


def _figures(words: Sequence[Word]) -> set[str]:
    return {word.form for word in words if word.form.startswith("#")}


class Answers:
    """A question, its reference answers (one with words at least), and a response, compared."""

    def __init__(
        self, question: str, references: Sequence[str], response: str, model: Encoder
    ) -> None:
        self.response, self._question = response[:_READ].strip(), question
        self._model = model
        self.words = answer_words(self.response)
        self._forms = {word.form for word in self.words}
        self._asked = {word.form for word in answer_words(question)}
        named = [text for text in dict.fromkeys(references) if answer_words(text)][:_REFERENCES]
        self.whole = [self._compared(text) for text in named]
        cut = {part for text in named for part in variants(text)} - set(named)
        self.parts = [self._compared(part) for part in sorted(cut)]

    @cached_property
    def best(self) -> Reference:
        """The spelling, whole or cut short, that comes closest to the response."""
        return max(self.whole + self.parts, key=_closeness)

    @cached_property
    def closest(self) -> Reference:
        """The whole reference that comes closest."""
        return max(self.whole, key=_closeness)

    def _compared(self, text: str) -> Reference:
        words = answer_words(text)
        place = holds(self.words, words)
        if place >= 0 and self._excludes(self.words[place].text):
            return Reference(text, words, -1, 0.0, 0.0, excluded=True)
        weights = np.array([self._weight(word) for word in words])
        exact = np.array([word.form in self._forms for word in words])
        close = [e or self._has_like(w) for w, e in zip(words, exact, strict=True)]
        recall, spelled = (float(weights[np.array(has)].sum()) for has in (exact, close))
        total = float(weights.sum())
        return Reference(text, words, place, recall / total, spelled / total)

    def _excludes(self, first: str) -> bool:
        """Whether an answer that begins so is named only to be excluded, or as one of two."""
        if _NEGATED_QUESTION.search(self._question):
            return False
        places = [m.start() for m in re.finditer(re.escape(first), self.response)]
        return bool(places) and all(
            _NOT.search(self.response[max(0, at - _LOOK_BACK) : at]) for at in places
        )

    def _has_like(self, word: Word) -> bool:
        new = self._forms - self._asked
        return any(alike(word.form, form, self._model.rarity) for form in new)

    def _weight(self, word: Word) -> float:
        if word.form in self._asked:
            return _TOLD
        if word.form in _TITLES or len(word.form) == 1:
            return _MINOR
        rare = 1.0 if word.form.startswith("#") else self._model.rarity(word.text.casefold())
        return 0.1 + rare

    @cached_property
    def new_words(self) -> list[Word]:
        """The words of the response that the question does not have, grammar aside."""
        return [
            word
            for word in self.words
            if word.form not in self._asked and word.text.casefold() not in _GRAMMAR
        ]

    @property
    def brief(self) -> bool:
        """Whether the response says little more than one answer."""
        return len(self.new_words) <= _BRIEF

    @cached_property
    def within(self) -> float:
        """Share of a brief response's new words that stand in the closest reference; else 0."""
        if not self.brief or not self.new_words:
            return 0.0
        return max(self._share_within(r) for r in self.whole)

    def _share_within(self, reference: Reference) -> float:
        forms = {word.form for word in reference.words}
        total = sum(self._weight(word) for word in self.new_words)
        held = sum(
            self._weight(word)
            for word in self.new_words
            if word.form in forms or any(alike(word.form, f, self._model.rarity) for f in forms)
        )
        return held / total

    @cached_property
    def other_number(self) -> bool:
        """Whether the response has another number, or unit, in the place of the reference's."""
        if self.best.place >= 0:
            return False
        wanted = [_figures(r.words) - self._asked for r in self.whole]
        given = [
            figures <= self._forms and not self._other_unit(reference.text)
            for figures, reference in zip(wanted, self.whole, strict=True)
        ]
        if not all(wanted) or any(given):
            return False
        others = _figures(self.words) - self._asked - set().union(*wanted)
        return bool(others) or any(self._other_unit(r.text) for r in self.whole)

    def _other_unit(self, text: str) -> bool:
        """Whether a number of the text comes back with a unit that makes it another amount."""
        told = numbers(self.response)
        return any(
            any(incompatible(n.unit, t.unit) for t in told if t.value == n.value)
            and not any(same(n, t) for t in told)
            for n in numbers(text)
        )

    @cached_property
    def refuses(self) -> bool:
        """Whether the response declines to answer."""
        return read(self.response, atomic=False).refuses

    @cached_property
    def cosine(self) -> float:
        """Nearness of the response's first sentence to a few references, by meaning."""
        first = next((p.text for p in sentences(self.response)), self.response)
        first = _NEXT_SENTENCE.split(first, maxsplit=1)[0]
        ranked = sorted(self.whole, key=lambda r: (-r.spelled, -r.recall))[:_EMBEDDED]
        return max(nearness(first, r.text, self._model) for r in ranked)

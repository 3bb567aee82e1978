"""Conflicts: differences between a claim and its closest sentence that can be pointed at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ragstone.local.bounds import without_bounds
from ragstone.local.english import is_english
from ragstone.local.match import Match
from ragstone.local.names import missing_names
from ragstone.local.numbers import Number, clashes, keeps, numbers, same
from ragstone.local.roles import Deed, swapped
from ragstone.local.terms import Term, is_negated, terms
from ragstone.local.windows import sentence_pieces
from ragstone.local.wordlists import word_list

__all__ = ["Conflicts", "opposites"]

_ABOUT_THE_SAME = 0.5  # share of the other words from which a differing number is a clash
_NEARLY_ALL = 0.8  # share from which a negation or turned roles on one side are a contradiction
_FEW = 2  # a window with more numbers of one kind is a list, in which none takes another's place
_GRAMMAR = 0.3  # weight of a word up to which it carries grammar rather than meaning
_BEFORE = 3  # words before the first shared one among which its negation may stand
_BY = re.compile(r"\bby\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def opposites() -> dict[str, set[str]]:
    """The comparable form of a word -> the forms of its opposites."""
    found: dict[str, set[str]] = {}
    for pair in word_list("antonyms"):
        one, other = (terms(word)[0].form for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


@dataclass(frozen=True)
class Conflicts:
    """What in the closest sentence of a match speaks against the claim, if anything."""

    match: Match

    @cached_property
    def sentence(self) -> str:
        """The sentence of the closest window that has most of the claim's words by weight."""
        pieces = sentence_pieces(self.match.best.window.text)
        return max((p.text for p in pieces), key=self._share, default=self.match.best.window.text)

    @cached_property
    def any(self) -> bool:
        """Whether there is one at all."""
        return (
            self.number is not None
            or self.name is not None
            or self.negation
            or bool(self.antonyms)
            or self.roles is not None
        )

    @cached_property
    def number(self) -> tuple[Number, Number] | None:
        """A number of the claim, and the one that the closest window has in its place."""
        if self.share_of_words < _ABOUT_THE_SAME:
            return None
        claimed = numbers(self.match.claim)
        here, everywhere = numbers(self.match.best.window.text), numbers(self.match.evidence.text)
        for number in claimed:
            others = [
                n for n in here if clashes(number, n) and not any(_equal(n, c) for c in claimed)
            ]
            told = any(_equal(number, n) or keeps(number, n) for n in everywhere)
            if others and not told and len({other.value for other in others}) <= _FEW:
                return number, others[0]
        return None

    @cached_property
    def name(self) -> tuple[str, str] | None:
        """A name of the claim that the evidence lacks, and the one the sentence has in its place.

        All else that the claim says must stand in a sentence that says little more.
        """
        if not self._brief:
            return None
        absent = missing_names(self.match.claim, self.match.evidence.text)
        others = missing_names(self.sentence, self.match.claim) if absent else []
        forms = {term.form for name in absent for term in terms(name)}
        rest = {form: weight for form, weight in self._telling.items() if form not in forms}
        if not others or not rest or not self._has(rest):
            return None
        return absent[0], others[0]

    @cached_property
    def negation(self) -> bool:
        """Whether one of claim and sentence is negated and the other is not, saying the same.

        A sentence that says little besides need not have nearly all of the claim.
        """
        same = self._nearly_all or (self._brief and self._has(self._telling, _ABOUT_THE_SAME))
        return same and self._parity_differs

    @cached_property
    def antonyms(self) -> list[tuple[str, str]]:
        """Words of the claim whose opposite stands in the sentence in their place."""
        words = {term.form for term in terms(without_bounds(self.sentence))}
        if not self._brief or self._share(self.sentence) < _ABOUT_THE_SAME or self._parity_differs:
            return []
        claimed = terms(without_bounds(self.match.claim))
        forms = {term.form for term in claimed}
        return [
            (term.text, opposite)
            for term in claimed
            if term.form not in words
            for opposite in sorted(opposites().get(term.form, set()) & (words - forms))
        ]

    @cached_property
    def roles(self) -> Deed | None:
        """A deed of the claim that the sentence tells with the roles exchanged."""
        claim, sentence = self.match.claim, self.sentence
        if not self._nearly_all or not is_english(f"{sentence} {claim}"):
            return None
        mine, theirs = self._shared(terms(claim)), self._shared(terms(sentence))
        turned = mine != theirs or bool(_BY.search(claim)) != bool(_BY.search(sentence))
        return swapped(claim, sentence) if turned and len(mine) > 1 else None

    @cached_property
    def share_of_words(self) -> float:
        """Weighted share of the claim's words, numbers aside, that the closest window has."""
        return self._share(self.match.best.window.text)

    def _share(self, text: str) -> float:
        forms = {term.form for term in terms(text)}
        rows = zip(self.match.terms, self.match.weights, strict=True)
        pairs = [(weight, t.form in forms) for t, weight in rows if not t.is_number]
        total = sum(weight for weight, _ in pairs)
        return sum(weight for weight, has in pairs if has) / total if total else 0.0

    @property
    def _nearly_all(self) -> bool:
        """Whether the sentence has nearly all of the claim that is not mere grammar."""
        return self._has(self._telling)

    def _has(self, words: Mapping[str, float], share: float = _NEARLY_ALL) -> bool:
        """Whether the sentence has such a share of these words, by their weights."""
        forms = {term.form for term in terms(self.sentence)}
        total = sum(words.values())
        shared = sum(weight for form, weight in words.items() if form in forms)
        return total > 0 and shared >= share * total

    @property
    def _brief(self) -> bool:
        """Whether the sentence says little more than the claim."""
        return len(terms(self.sentence)) <= 2 * len(self.match.terms) + 5

    @cached_property
    def _parity_differs(self) -> bool:
        claim = is_negated(without_bounds(self.match.claim))
        return claim != is_negated(self._stretch(without_bounds(self.sentence)))

    def _stretch(self, text: str) -> str:
        """The part of a sentence from a little before the first shared word to the last one."""
        found, forms = terms(text), set(self._telling)
        shared = [n for n, term in enumerate(found) if term.form in forms]
        if not shared:
            return text
        first, last = found[max(0, shared[0] - _BEFORE)], found[shared[-1]]
        return text[first.start : last.start + len(last.text)]

    @cached_property
    def _telling(self) -> dict[str, float]:
        """The claim's words with some meaning of their own, and their weights."""
        rows = zip(self.match.terms, self.match.weights, strict=True)
        return {term.form: weight for term, weight in rows if weight > _GRAMMAR}

    def _shared(self, found: tuple[Term, ...]) -> list[str]:
        """The claim's telling words in the order of a text."""
        return [term.form for term in found if term.form in self._telling]


def _equal(one: Number, other: Number) -> bool:
    """Whether two numbers are one amount of one thing, as far as the words after them tell."""
    if not same(one, other) or clashes(one, other):
        return False
    return one.kind != "plain" or one.unit == other.unit or "" in (one.unit, other.unit)

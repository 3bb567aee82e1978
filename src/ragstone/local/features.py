"""What is measured between a claim and the evidence, as plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragstone.local.bounds import positive_bounds
from ragstone.local.conflicts import Conflicts
from ragstone.local.crossencoder import cross_encoder
from ragstone.local.fragment import is_fragment
from ragstone.local.match import Match
from ragstone.local.names import missing_names
from ragstone.local.numbers import Number, keeps, numbers, same
from ragstone.local.passage import READ_WORDS, passage
from ragstone.local.terms import terms

__all__ = ["FEATURES", "Comparison", "features"]

_APART = 0.1  # share of the words below which a claim and the evidence have nothing in common
_COUNTED = 10  # up to here a number in words may be the reader's own count of what is listed


@dataclass(frozen=True)
class Comparison:
    """A claim beside its closest window, with all that the features and the reasons need."""

    match: Match

    @cached_property
    def window_words(self) -> list[str]:
        """The words of the closest window, in order."""
        return [term.form for term in terms(self.match.best.window.text)]

    @cached_property
    def claimed(self) -> tuple[Number, ...]:
        """The numbers of the claim."""
        return numbers(self.match.claim)

    @cached_property
    def absent_numbers(self) -> list[Number]:
        """The claim's numbers that stand nowhere in the evidence."""
        written = numbers(self.match.evidence.text)
        return [
            n
            for n in self.claimed
            if not any(same(n, other) or keeps(n, other) for other in written)
        ]

    @cached_property
    def conflicts(self) -> Conflicts:
        """What in the closest sentence speaks against the claim."""
        return Conflicts(self.match)

    @cached_property
    def pair(self) -> tuple[str, str]:
        """What the cross-encoder reads: the closest windows, and the claim."""
        evidence = passage(self.match, READ_WORDS)
        return positive_bounds(evidence), positive_bounds(self.match.claim)

    @cached_property
    def logits(self) -> tuple[float, float, float]:
        """What the cross-encoder says of supported, contradicted and not mentioned.

        It takes a negation in front of a limit for one of the whole claim, so it reads none there.
        """
        supported, contradicted, unmentioned = cross_encoder("groundedness").scores([self.pair])[0]
        return float(supported), float(contradicted), float(unmentioned)

    @cached_property
    def read_as_supported(self) -> float:
        """The cross-encoder's log-odds of support."""
        supported, contradicted, unmentioned = self.logits
        return supported - float(np.logaddexp(contradicted, unmentioned))

    @cached_property
    def read_as_contradicted(self) -> float:
        """The cross-encoder's log-odds of contradicted against not mentioned."""
        return self.logits[1] - self.logits[2]

    @cached_property
    def names(self) -> list[str]:
        """The forms of the claim's names: capital letters or digits inside, not a mere opening."""
        return [
            term.form
            for n, (term, weight) in enumerate(
                zip(self.match.terms, self.match.weights, strict=True)
            )
            if term.looks_like_name and (n > 0 or weight > 0.75)
        ]

    @cached_property
    def absent_names(self) -> list[str]:
        """The claim's names, as the claim writes them, that stand nowhere in the evidence."""
        absent = set(self.names) - self.match.evidence.words
        return [term.text for term in self.match.terms if term.form in absent]

    @cached_property
    def absent_words(self) -> list[str]:
        """The claim's words, rarest first, that stand nowhere in the evidence."""
        rows = zip(self.match.weights, self.match.terms, self.match.covered, strict=True)
        absent = [(weight, term.text) for weight, term, covered in rows if not covered]
        return [text for weight, text in sorted(absent, key=lambda r: -r[0]) if weight > 0.3]

    @cached_property
    def missing(self) -> list[str]:
        """The claim's numbers and proper names without which it cannot be supported.

        A small number in words may count what the evidence lists, and so is not among them.
        """
        if self.answers_in_short:
            return []
        figures = [n.text for n in self.absent_numbers if not _may_be_counted(n)]
        return figures + missing_names(self.match.claim, self.match.evidence.text)

    @cached_property
    def is_apart(self) -> bool:
        """Whether the claim has next to no words and no meaning in common with any window.

        Of such claims, "The answer above is right." for one, a cross-encoder only guesses.
        """
        found = self.match.found
        return max(f.recall for f in found) < _APART and max(f.cosine for f in found) < 2 * _APART

    @cached_property
    def answers_in_short(self) -> bool:
        """Whether the evidence is a fragment, such as "70 %.", and the claim has all its words."""
        text = self.match.evidence.text
        claimed = {term.form for term in self.match.terms}
        return is_fragment(text) and all(
            term.form in claimed or (term.text.isalpha() and len(term.text) < _SHORT)
            for term in terms(text)
        )


_SHORT = 4  # letters below which a word of a fragment is taken for grammar


def _may_be_counted(number: Number) -> bool:
    return number.text.isalpha() and number.kind == "plain" and float(number.value) <= _COUNTED


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _rarest_absent(c: Comparison) -> float:
    if c.answers_in_short:
        return 0.0
    rows = zip(c.match.terms, c.match.weights, strict=True)
    return max((w for term, w in rows if term.form not in c.window_words), default=0.0)


FEATURES: dict[str, Callable[[Comparison], float]] = {
    "read_as_supported": lambda c: c.read_as_supported,
    "cosine": lambda c: c.match.best.cosine,
    "highest_cosine": lambda c: max(found.cosine for found in c.match.found),
    "recall_squared": lambda c: 1.0 if c.answers_in_short else c.match.best.recall**2,
    "rarest_absent": _rarest_absent,
    "absent_numbers": lambda c: _share(len(c.absent_numbers), len(c.claimed)),
    "absent_names": lambda c: _share(len(c.absent_names), len(c.names)),
    "missing": lambda c: float(bool(c.missing)),
}
"""Name -> what it measures; the coefficients in support.json are listed under these names."""


def features(comparison: Comparison) -> Sequence[float]:
    """The values of all features, in the order of FEATURES."""
    return [measure(comparison) for measure in FEATURES.values()]

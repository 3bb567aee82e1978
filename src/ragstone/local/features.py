"""What is measured between a claim and the evidence, as plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ragstone.local.match import Match
from ragstone.local.numbers import Number, clashes, numbers, same
from ragstone.local.terms import is_negated, terms
from ragstone.local.wordlists import word_list

__all__ = ["FEATURES", "Comparison", "features"]

_ABOUT_THE_SAME = 0.5  # share of the other words from which a differing number is a clash
_NEARLY_ALL = 0.8  # share from which a negation on one side alone is a contradiction
_FEW = 2  # a window with more numbers of one kind is a list, in which none takes another's place


@lru_cache(maxsize=1)
def _opposites() -> dict[str, set[str]]:
    """Comparable form -> the forms of its opposites."""
    found: dict[str, set[str]] = {}
    for pair in word_list("antonyms"):
        one, other = (terms(word)[0].form for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


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
        return [n for n in self.claimed if not any(same(n, other) for other in written)]

    @cached_property
    def number_clash(self) -> tuple[Number, Number] | None:
        """A number of the claim, and the one that the closest window has in its place."""
        if not self.about_the_same:
            return None
        written = numbers(self.match.best.window.text)
        for number in self.absent_numbers:
            others = [n for n in written if clashes(number, n) and not self._claims(n)]
            if others and len({other.value for other in others}) <= _FEW:
                return number, others[0]
        return None

    def _claims(self, number: Number) -> bool:
        return any(same(number, claimed) for claimed in self.claimed)

    @property
    def about_the_same(self) -> bool:
        """Whether claim and window share enough that a difference is a contradiction."""
        return self.share_of_words >= _ABOUT_THE_SAME

    @cached_property
    def share_of_words(self) -> float:
        """Weighted share of the claim's words, numbers aside, that the closest window has."""
        pairs = [
            (w, t.form in self.window_words)
            for t, w in zip(self.match.terms, self.match.weights, strict=True)
            if not t.is_number
        ]
        total = sum(weight for weight, _ in pairs)
        return sum(weight for weight, has in pairs if has) / total if total else 0.0

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
    def negation_differs(self) -> bool:
        """Whether one of claim and window is negated and the other is not, being about the same."""
        window = self.match.best.window.text
        same = self.share_of_words >= _NEARLY_ALL and len(self.window_words) <= self._room
        return same and is_negated(self.match.claim) != is_negated(window)

    @property
    def has_conflict(self) -> bool:
        """Whether a difference can be pointed at: a number, a negation, or an opposite."""
        return self.number_clash is not None or self.negation_differs or bool(self.antonyms)

    @property
    def _room(self) -> int:
        """Words up to which a window says little more than the claim."""
        return 2 * len(self.match.terms) + 5

    @cached_property
    def antonyms(self) -> list[tuple[str, str]]:
        """Words of the claim whose opposite stands in the window in their place."""
        comparable = self.about_the_same and len(self.window_words) <= self._room
        words = set(self.window_words) if comparable else set()
        claimed = {term.form for term in self.match.terms}
        return [
            (term.text, opposite)
            for term in self.match.terms
            if term.form not in words
            for opposite in sorted(_opposites().get(term.form, set()) & (words - claimed))
        ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _rarest_absent(c: Comparison) -> float:
    rows = zip(c.match.terms, c.match.weights, strict=True)
    return max((w for term, w in rows if term.form not in c.window_words), default=0.0)


FEATURES: dict[str, Callable[[Comparison], float]] = {
    "cosine": lambda c: c.match.best.cosine,
    "highest_cosine": lambda c: max(found.cosine for found in c.match.found),
    "recall_squared": lambda c: c.match.best.recall**2,
    "rarest_absent": _rarest_absent,
    "absent_numbers": lambda c: _share(len(c.absent_numbers), len(c.claimed)),
    "absent_names": lambda c: _share(len(c.absent_names), len(c.names)),
}
"""Name -> what it measures; the coefficients in support.json are listed under these names."""


def features(comparison: Comparison) -> Sequence[float]:
    """The values of all features, in the order of FEATURES."""
    return [measure(comparison) for measure in FEATURES.values()]

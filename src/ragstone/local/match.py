"""Matching: for each claim, the windows of the evidence that come closest to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ragstone.local.encoder import Encoder
from ragstone.local.terms import Term, in_latin_script, terms
from ragstone.local.windows import Window, sentence_pieces, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Evidence", "Found", "Match"]

_TOP = 5


@dataclass(frozen=True)
class Found:
    """A window and how close it is: cosine -1 to 1, and weighted share of the claim's words."""

    window: Window
    cosine: float
    recall: float

    @property
    def closeness(self) -> float:
        """The mean of the two, by which windows are ranked."""
        return (self.cosine + self.recall) / 2


@dataclass(frozen=True)
class Match:
    """A claim, its closest windows (best first, one at least), and what the whole evidence has.

    `weights` holds the rarity of each of the claim's terms, `covered` whether the evidence has it
    anywhere.
    """

    claim: str
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    covered: tuple[bool, ...]
    found: tuple[Found, ...]
    evidence: Evidence

    @property
    def best(self) -> Found:
        """The closest window."""
        return self.found[0]


class Evidence:
    """Contexts, cut in windows and encoded once, to which any number of claims is matched."""

    def __init__(self, contexts: Sequence[str], encoder: Encoder) -> None:
        self.contexts, self._encoder = tuple(contexts), encoder
        self.sentences = [p.text for text in self.contexts for p in sentence_pieces(text)]
        self.windows = windows(self.contexts)
        self._forms = [frozenset(term.form for term in terms(text)) for text in self.sentences]

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the evidence in comparable form."""
        return frozenset().union(*self._forms)

    @cached_property
    def text(self) -> str:
        """The contexts as one text."""
        return "\n".join(self.contexts)

    @cached_property
    def _window_vectors(self) -> NDArray[Any]:
        vectors = self._encoder.vectors(self.sentences).astype(np.float64)
        lengths = np.array([len(forms) for forms in self._forms], dtype=float)
        sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
        np.cumsum(vectors * lengths[:, None], axis=0, out=sums[1:])
        first, last = self._bounds
        added = sums[last + 1] - sums[first]
        single = first == last
        added[single] = vectors[first[single]]
        unit: NDArray[Any] = added / np.linalg.norm(added, axis=1, keepdims=True)
        return unit

    @cached_property
    def _bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        first = np.array([window.first for window in self.windows])
        return first, np.array([window.last for window in self.windows])

    def match(self, claim: str) -> Match | None:
        """The windows closest to a claim; None when the evidence or the claim has no words."""
        found = terms(claim)
        if not self.windows or not found:
            return None
        weights = np.array([self._weight(term) for term in found])
        has = np.array([[term.form in forms for term in found] for forms in self._forms])
        recalls = self._covered(has) @ weights / weights.sum()
        cosines = self._cosines(claim) if in_latin_script(claim) else recalls
        return Match(
            claim=claim,
            terms=found,
            weights=tuple(float(w) for w in weights),
            covered=tuple(term.form in self.words for term in found),
            found=tuple(self._top(np.clip(cosines, -1.0, 1.0), recalls)),
            evidence=self,
        )

    def _cosines(self, claim: str) -> NDArray[Any]:
        """Cosine of every window with the claim.

        Not for other scripts, of which the model knows single letters at best: there the share of
        words stands in.
        """
        cosines: NDArray[Any] = self._window_vectors @ self._encoder.vectors([claim])[0].astype(
            float
        )
        return cosines

    def _weight(self, term: Term) -> float:
        return 0.8 if term.is_number else 0.05 + self._encoder.rarity(term.text.casefold())

    def _covered(self, has: NDArray[Any]) -> NDArray[Any]:
        """Which of the claim's terms each window has, from the sentences that have them."""
        counts = np.zeros((len(has) + 1, has.shape[1]), dtype=int)
        np.cumsum(has, axis=0, out=counts[1:])
        first, last = self._bounds
        covered: NDArray[Any] = counts[last + 1] > counts[first]
        return covered

    def _top(self, cosines: NDArray[Any], recalls: NDArray[Any]) -> list[Found]:
        """The closest windows without two that overlap; of equals the shorter, then the earlier."""
        first, last = self._bounds
        closeness = np.round((cosines + recalls) / 2 - 0.02 * (last - first), 9)
        order = sorted(range(len(closeness)), key=lambda n: (-closeness[n], self._key(n)))
        chosen: list[int] = []
        for n in order:
            if all(last[n] < first[m] or last[m] < first[n] for m in chosen):
                chosen.append(n)
            if len(chosen) == _TOP:
                break
        return [Found(self.windows[n], float(cosines[n]), float(recalls[n])) for n in chosen]

    def _key(self, number: int) -> tuple[int, str]:
        """Ties are broken by the text, so that the order of the contexts does not matter."""
        window = self.windows[number]
        return window.last - window.first, window.text

"""Whether evidence supports a claim: the file to swap for a better model.

`Entailment` is the seam. What comes before it (cutting the evidence, finding the closest windows)
and after it (verdict, quote, reason) stays when a trained cross-encoder takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Protocol

from ragstone.local.crossencoder import cross_encoder
from ragstone.local.features import FEATURES, Comparison, features
from ragstone.local.logistic import Model, load_model
from ragstone.local.match import Match

__all__ = ["Entailment", "Probabilities", "TrainedEntailment", "probability"]


@dataclass(frozen=True, slots=True)
class Probabilities:
    """What the evidence says of a claim; each 0 to 1, together 1."""

    supported: float
    contradicted: float
    not_mentioned: float


class Entailment(Protocol):
    """Whoever weighs claims against their closest evidence windows."""

    @property
    def version(self) -> str:
        """Names the weights; a run stores it."""

    @property
    def threshold(self) -> float:
        """From this probability on a claim counts as supported."""

    def probabilities(self, matches: Sequence[Match]) -> list[Probabilities]:
        """One answer for every match, in order; each depends on its own match alone."""


class TrainedEntailment:
    """A cross-encoder's reading of the closest windows, weighed with what can be counted.

    The reading (ragstone-models, `groundedness`) is one feature of a logistic model beside shared
    words, absent names and numbers; training/support/fit.py fits it on rows that the cross-encoder
    has not learned from. A conflict that can be pointed at (another number, a negation, an
    opposite, turned roles) takes most of the probability away and makes the rest a contradiction;
    else the cross-encoder tells contradicted from not mentioned. A claim that has nothing in common
    with the evidence loses as much.
    """

    @property
    def _model(self) -> Model:
        return load_model("support.json", tuple(FEATURES))

    @property
    def version(self) -> str:
        """The version of the coefficients."""
        return f"pairs-{self._model.version}"

    @property
    def threshold(self) -> float:
        """0.5: the bias is fitted so that it divides the rows best."""
        return self._model.threshold

    def probabilities(self, matches: Sequence[Match]) -> list[Probabilities]:
        """One answer for every match, in order."""
        compared = [Comparison(match) for match in matches]
        if compared:
            cross_encoder("groundedness").scores([each.pair for each in compared])  # all at once
        return [self._one(each) for each in compared]

    def _one(self, compared: Comparison) -> Probabilities:
        model = self._model
        doubted = compared.conflicts.any or compared.is_apart
        supported = probability(model, features(compared), conflict=doubted)
        if compared.conflicts.any:
            return Probabilities(supported, 1.0 - supported, 0.0)
        against = 1.0 / (1.0 + exp(-compared.read_as_contradicted))
        contradicted = (1.0 - supported) * against
        return Probabilities(supported, contradicted, 1.0 - supported - contradicted)


def probability(model: Model, values: Sequence[float], *, conflict: bool) -> float:
    """The probability of support, from the features of a claim."""
    supported = model.parts["supported"].probability(values)
    return supported * model.rates["left_in_conflict"] if conflict else supported

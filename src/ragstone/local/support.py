"""Whether evidence supports a claim: the file to swap for a better model.

`Entailment` is the seam. What comes before it (cutting the evidence, finding the closest windows)
and after it (verdict, quote, reason) stays when a trained cross-encoder takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ragstone.local.features import FEATURES, Comparison, features
from ragstone.local.logistic import Model, load_model
from ragstone.local.match import Match

__all__ = ["Entailment", "FeatureEntailment", "Probabilities", "probability"]


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


class FeatureEntailment:
    """A logistic model on the features of features.py, fitted by training/support/fit.py.

    Where a conflict can be pointed at (another number, a negation, an opposite, turned roles), the
    frequencies among such rows of the fitted sets stand instead. How often an unsupported claim
    without one is contradicted all the same is a frequency too: these features cannot tell.
    """

    @property
    def _model(self) -> Model:
        return load_model("support.json", tuple(FEATURES))

    @property
    def version(self) -> str:
        """The version of the coefficients."""
        return f"features-{self._model.version}"

    @property
    def threshold(self) -> float:
        """The probability with the best balanced accuracy on held-out rows of the fitted sets."""
        return self._model.threshold

    def probabilities(self, matches: Sequence[Match]) -> list[Probabilities]:
        """One answer for every match, in order."""
        return [self._one(Comparison(match)) for match in matches]

    def _one(self, compared: Comparison) -> Probabilities:
        model, conflict = self._model, compared.conflicts.any
        missing = not conflict and bool(compared.missing)
        supported = probability(model, features(compared), conflict=conflict, missing=missing)
        against = model.rates[
            "contradicted_in_conflict" if conflict else "contradicted_without_conflict"
        ]
        contradicted = (1.0 - supported) * against
        return Probabilities(supported, contradicted, 1.0 - supported - contradicted)


def probability(model: Model, values: Sequence[float], *, conflict: bool, missing: bool) -> float:
    """The probability of support, from the features of a claim.

    Where the evidence lacks a name or number of the claim it is cut to stay below the threshold.
    """
    if conflict:
        return model.rates["supported_in_conflict"]
    fitted = model.parts["supported"].probability(values)
    return min(fitted, _NEVER_SURE) * model.threshold if missing else fitted


_NEVER_SURE = 0.99

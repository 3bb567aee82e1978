"""Whether a response gives the answer of a reference: what answer/equivalence asks."""

from __future__ import annotations

from collections.abc import Callable

from ragstone.local.answermatch import Answers
from ragstone.local.logistic import Model, load_model

__all__ = ["FEATURES", "features", "model", "probability"]

FEATURES: dict[str, Callable[[Answers], float]] = {
    "whole": lambda a: float(a.closest.place >= 0),
    "part": lambda a: float(a.best.place >= 0),
    "recall": lambda a: a.closest.recall,
    "spelled": lambda a: a.best.spelled,
    "within": lambda a: a.within,
    "cosine": lambda a: a.cosine,
    "refuses": lambda a: float(a.refuses),
}
"""Name -> what it measures; the coefficients in equivalence.json are listed under these names."""


def features(answers: Answers) -> list[float]:
    """The values of all features, in the order of FEATURES."""
    return [measure(answers) for measure in FEATURES.values()]


def model() -> Model:
    """The coefficients, fitted by training/equivalence/fit.py."""
    return load_model("equivalence.json", tuple(FEATURES))


def probability(answers: Answers) -> float:
    """How likely the response gives the answer, 0 to 1.

    With another number in the answer's place it is at most the frequency of right ones among such
    fitted rows.
    """
    fitted = model()
    likely = fitted.parts["equivalent"].probability(features(answers))
    return min(likely, fitted.rates["with_other_number"]) if answers.other_number else likely

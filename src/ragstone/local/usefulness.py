"""Whether a context is of use for an answer: what retrieval/usefulness asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ragstone.local.encoder import Encoder
from ragstone.local.features import Comparison
from ragstone.local.logistic import Model, load_model
from ragstone.local.match import Evidence, Match

__all__ = ["FEATURES", "Usage", "measure", "model", "useful"]


@dataclass(frozen=True, slots=True)
class Usage:
    """The probability that a context is useful, 0 to 1, and the window that comes closest."""

    probability: float
    closest: str


@dataclass(frozen=True)
class _Both:
    question: Comparison | None
    answer: Comparison | None


def _of(part: Comparison | None, measure: Callable[[Comparison], float]) -> float:
    return 0.0 if part is None else measure(part)


FEATURES: dict[str, Callable[[_Both], float]] = {
    "question_cosine": lambda b: _of(b.question, lambda c: c.match.best.cosine),
    "question_recall": lambda b: _of(b.question, lambda c: c.match.best.recall),
    "answer_cosine": lambda b: _of(b.answer, lambda c: c.match.best.cosine),
    "answer_recall": lambda b: _of(b.answer, lambda c: c.match.best.recall),
    "answer_names_absent": lambda b: _of(
        b.answer, lambda c: len(c.absent_names) / max(1, len(c.names))
    ),
    "answer_numbers_absent": lambda b: _of(
        b.answer, lambda c: len(c.absent_numbers) / max(1, len(c.claimed))
    ),
    "no_answer": lambda b: float(b.answer is None),
}


def model() -> Model:
    """The coefficients, fitted by training/support/usefulness.py."""
    return load_model("usefulness.json", tuple(FEATURES))


def measure(question: str, answer: str, context: str, encoder: Encoder) -> tuple[list[float], str]:
    """The values of all features, and the window that is closest to the answer, or question."""
    evidence = Evidence([context], encoder)
    asked, answered = evidence.match(question), evidence.match(answer)
    both = _Both(_compared(asked), _compared(answered))
    nearest = answered or asked
    closest = nearest.best.window.text if nearest else ""
    return [feature(both) for feature in FEATURES.values()], closest


def useful(question: str, answer: str, context: str, encoder: Encoder) -> Usage:
    """How likely a context is to help with the answer; a context without words is useless."""
    values, closest = measure(question, answer, context, encoder)
    if not closest:
        return Usage(0.0, "")
    return Usage(model().parts["useful"].probability(values), closest)


def _compared(match: Match | None) -> Comparison | None:
    return None if match is None else Comparison(match)

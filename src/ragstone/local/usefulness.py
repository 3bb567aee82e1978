"""Whether a context is of use for an answer: what retrieval/usefulness asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ragstone.local.crossencoder import cross_encoder
from ragstone.local.encoder import Encoder
from ragstone.local.features import Comparison
from ragstone.local.logistic import Model, load_model
from ragstone.local.match import Evidence, Match
from ragstone.local.passage import READ_WORDS, passage

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
    reading: float


def _of(part: Comparison | None, measure: Callable[[Comparison], float]) -> float:
    return 0.0 if part is None else measure(part)


FEATURES: dict[str, Callable[[_Both], float]] = {
    "read_as_relevant": lambda b: b.reading,
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
}


def model() -> Model:
    """The coefficients, fitted by training/support/usefulness.py.

    Two models: `answered` where an answer is known, `asked` for a question alone.
    """
    return load_model("usefulness.json", tuple(FEATURES))


def measure(question: str, answer: str, context: str, encoder: Encoder) -> tuple[list[float], str]:
    """The values of all features, and the window that is closest to the answer, or question."""
    evidence = Evidence([context], encoder)
    asked, answered = evidence.match(question), evidence.match(answer)
    nearest = answered or asked
    reading = _reading(f"{question} {answer}".strip(), evidence) if nearest else 0.0
    both = _Both(_compared(asked), _compared(answered), reading)
    closest = nearest.best.window.text if nearest else ""
    return [feature(both) for feature in FEATURES.values()], closest


def _reading(query: str, evidence: Evidence) -> float:
    """The cross-encoder's log-odds that the windows closest to question and answer are relevant."""
    match = evidence.match(query)
    if match is None:
        return 0.0
    pair = (passage(match, READ_WORDS), query)
    relevant, irrelevant = cross_encoder("relevance").scores([pair])[0]
    return float(relevant - irrelevant)


def useful(question: str, answer: str, context: str, encoder: Encoder) -> Usage:
    """How likely a context is to help with the answer; a context without words is useless."""
    values, closest = measure(question, answer, context, encoder)
    if not closest:
        return Usage(0.0, "")
    part = "answered" if answer.strip() else "asked"
    return Usage(model().parts[part].probability(values), closest)


def _compared(match: Match | None) -> Comparison | None:
    return None if match is None else Comparison(match)

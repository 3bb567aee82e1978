"""Whether a context is of use for an answer: what retrieval/usefulness asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.local.crossencoder import cross_encoder
from ragstone.local.encoder import Encoder
from ragstone.local.features import Comparison
from ragstone.local.logistic import Model, load_model
from ragstone.local.match import Evidence, Match
from ragstone.local.passage import READ_WORDS, passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FEATURES", "Usage", "measured", "model", "useful"]

_SIGNS = re.compile(r"(?<!\S)(?:[^\w\s]{2,}|<[<|/]*[\w-]+[|>]*>)(?!\S)")
"""Fences, rules and tags: they say nothing, but a model would read something into them."""


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


def measured(
    question: str, answer: str, contexts: Sequence[str], encoder: Encoder
) -> list[tuple[list[float], str]]:
    """For each context the values of all features, and its window closest to answer or question."""
    answer = _SIGNS.sub(" ", answer)
    found = [Evidence([context], encoder) for context in contexts]
    encoder.vectors([text for evidence in found for text in evidence.sentences])  # all at once
    query = f"{question} {answer}".strip()
    pairs = [_pair(query, evidence) for evidence in found]
    readings = iter(cross_encoder("relevance").scores([pair for pair in pairs if pair]))
    return [
        _measured(question, answer, evidence, next(readings) if pair else None)
        for evidence, pair in zip(found, pairs, strict=True)
    ]


def _measured(
    question: str, answer: str, evidence: Evidence, logits: NDArray[np.float32] | None
) -> tuple[list[float], str]:
    asked, answered = evidence.match(question), evidence.match(answer)
    nearest = answered or asked
    reading = float(logits[0] - logits[1]) if nearest and logits is not None else 0.0
    both = _Both(_compared(asked), _compared(answered), reading)
    closest = nearest.best.window.text if nearest else ""
    return [feature(both) for feature in FEATURES.values()], closest


def _pair(query: str, evidence: Evidence) -> tuple[str, str] | None:
    """What the cross-encoder reads: the windows closest to question and answer, and these."""
    match = evidence.match(query)
    return None if match is None else (passage(match, READ_WORDS), query)


def useful(question: str, answer: str, contexts: Sequence[str], encoder: Encoder) -> list[Usage]:
    """How likely each context is to help with the answer; one without words is useless."""
    part = model().parts["answered" if answer.strip() else "asked"]
    return [
        Usage(part.probability(values) if closest else 0.0, closest)
        for values, closest in measured(question, answer, contexts, encoder)
    ]


def _compared(match: Match | None) -> Comparison | None:
    return None if match is None else Comparison(match)

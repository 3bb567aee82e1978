"""Whether a passage bears on a question: one probability a pair."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.local.encoder import encoder
from ragstone.local.usefulness import useful

__all__ = ["relevances"]


def relevances(question: str, passages: Sequence[str]) -> list[float]:
    """How likely each passage is to help answer the question, 0 to 1, each judged alone."""
    return [found.probability for found in useful(question, "", passages, encoder())]

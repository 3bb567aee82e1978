"""Relevance: does each of several passages bear on a question."""

from __future__ import annotations

from typing import Literal

from ragstone.prompt.items import ItemsIn, ItemVerdict, Probability, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = ["RELEVANCE", "RelevanceIn", "RelevanceVerdict"]


class RelevanceIn(ItemsIn):
    """Passages (the items), and the question for which each is looked at alone."""

    question: str


class RelevanceVerdict(ItemVerdict):
    """Whether a passage holds something that helps to answer the question."""

    verdict: Literal["relevant", "irrelevant"]
    probability: Probability = None


RELEVANCE = Prompt("retrieval/relevance", RelevanceIn, VerdictList[RelevanceVerdict])

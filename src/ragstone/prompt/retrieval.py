"""Retrieval: is a retrieved context of use for an answer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, Probability, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = ["USEFULNESS", "Usefulness", "UsefulnessIn"]


class UsefulnessIn(ItemsIn):
    """Contexts (the items), and the question and the answer for which each is looked at alone."""

    question: str
    answer: str


class Usefulness(ItemVerdict):
    """Whether a context helps to arrive at the answer."""

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["useful", "not_useful"]
    probability: Probability = None


USEFULNESS = Prompt("retrieval/usefulness", UsefulnessIn, VerdictList[Usefulness])

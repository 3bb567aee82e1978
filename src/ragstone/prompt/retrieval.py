"""Retrieval: is a retrieved context of use for an answer."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.items import Probability
from ragstone.prompt.prompt import Prompt

__all__ = ["USEFULNESS", "Usefulness", "UsefulnessIn"]


class UsefulnessIn(BaseModel):
    """A question, the answer to it, and one context."""

    model_config = ConfigDict(frozen=True)

    question: str
    answer: str
    context: str


class Usefulness(BaseModel):
    """Whether the context helps to arrive at the answer."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["useful", "not_useful"]
    probability: Probability = None


USEFULNESS = Prompt("retrieval/usefulness", UsefulnessIn, Usefulness)

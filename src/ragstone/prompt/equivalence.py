"""Equivalence: does a response give the answer that a reference gives."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.items import Probability
from ragstone.prompt.prompt import Prompt

__all__ = ["EQUIVALENCE", "Equivalence", "EquivalenceIn"]


class EquivalenceIn(BaseModel):
    """A question, a response to it, and the right answer, written in one or more ways."""

    model_config = ConfigDict(frozen=True)

    question: str
    references: list[str] = Field(min_length=1)
    response: str


class Equivalence(BaseModel):
    """Whether the response gives the answer of any of the references."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["equivalent", "different"]
    probability: Probability = None


EQUIVALENCE = Prompt("answer/equivalence", EquivalenceIn, Equivalence)

"""Similarity: how well a response matches a reference in meaning, in six grades."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.prompt import Prompt

__all__ = ["SIMILARITY", "Similarity", "SimilarityIn"]


class SimilarityIn(BaseModel):
    """A question, the reference answer, and a response."""

    model_config = ConfigDict(frozen=True)

    question: str
    reference: str
    response: str


class Similarity(BaseModel):
    """The grade, "0" (nothing in common) to "5" (the same in meaning)."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    grade: Literal["0", "1", "2", "3", "4", "5"]


SIMILARITY = Prompt("answer/similarity", SimilarityIn, Similarity)

"""Duplication: does a text repeat information."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.prompt import Prompt

__all__ = ["DUPLICATION", "DuplicatedPair", "Duplication", "DuplicationIn"]


class DuplicationIn(BaseModel):
    """The text."""

    model_config = ConfigDict(frozen=True)

    text: str


class DuplicatedPair(BaseModel):
    """Two passages of the text that say the same, as it words them, in its order."""

    model_config = ConfigDict(frozen=True)

    first: str
    second: str


class Duplication(BaseModel):
    """Whether information stands in the text twice, and where."""

    model_config = ConfigDict(frozen=True)

    pairs: list[DuplicatedPair] = Field(description="passages that say the same, copied; or none")
    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["repeats", "does_not_repeat"]


DUPLICATION = Prompt("answer/duplication", DuplicationIn, Duplication)

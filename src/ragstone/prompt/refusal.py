"""Refusal: does a response decline to answer."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.prompt import Prompt

__all__ = ["REFUSAL", "RefusalIn", "RefusalVerdict"]


class RefusalIn(BaseModel):
    """A response, and the question that it should answer."""

    model_config = ConfigDict(frozen=True)

    question: str | None = None
    response: str


class RefusalVerdict(BaseModel):
    """Whether the response declines, and the words in which it does."""

    model_config = ConfigDict(frozen=True)

    quote: str = Field(default="", description="the words that decline, copied; else empty")
    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["refuses", "answers"]


REFUSAL = Prompt("answer/refusal", RefusalIn, RefusalVerdict)

"""Responses held against contexts of which some are pictures."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.images import Image
from ragstone.prompt.prompt import Prompt

__all__ = [
    "SEEN_FAITHFUL",
    "SEEN_RELEVANT",
    "SeenFaithfulIn",
    "SeenFaithfulness",
    "SeenRelevance",
    "SeenRelevantIn",
]


class SeenFaithfulIn(BaseModel):
    """A response, and the texts and pictures that it should rest on."""

    model_config = ConfigDict(frozen=True)

    response: str
    contexts: list[str | Image]


class SeenFaithfulness(BaseModel):
    """Whether texts and pictures support all that the response states."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["faithful", "unfaithful"]


class SeenRelevantIn(BaseModel):
    """A question, a response, and the texts and pictures that there are."""

    model_config = ConfigDict(frozen=True)

    question: str
    response: str
    contexts: list[str | Image]


class SeenRelevance(BaseModel):
    """Whether the response answers the question in line with texts and pictures."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["relevant", "irrelevant"]


SEEN_FAITHFUL = Prompt("multimodal/faithful", SeenFaithfulIn, SeenFaithfulness)
SEEN_RELEVANT = Prompt("multimodal/relevant", SeenRelevantIn, SeenRelevance)

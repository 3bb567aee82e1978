"""Safety: is a response abusive, and does a context try to steer the model."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = [
    "INJECTION",
    "TOXICITY",
    "InjectionIn",
    "InjectionVerdict",
    "Toxicity",
    "ToxicityIn",
]


class ToxicityIn(BaseModel):
    """A response, and what it answers."""

    model_config = ConfigDict(frozen=True)

    user_input: str | None = None
    response: str


class Toxicity(BaseModel):
    """Whether the response itself is abusive, and the passages that are."""

    model_config = ConfigDict(frozen=True)

    passages: list[str] = Field(description="the abusive passages, copied; or none")
    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["clean", "toxic"]


class InjectionIn(ItemsIn):
    """Contexts (the items) that a model is to read as material."""


class InjectionVerdict(ItemVerdict):
    """Whether a context gives orders to the model that reads it, and in which words."""

    quote: str = Field(default="", description="the words that give the order, copied; else empty")
    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["clean", "injected"]


TOXICITY = Prompt("safety/toxicity", ToxicityIn, Toxicity)
INJECTION = Prompt("safety/injection", InjectionIn, VerdictList[InjectionVerdict])

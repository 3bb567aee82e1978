"""Claims: split a text into statements, and check statements against evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, Probability, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = [
    "EXTRACT_CLAIMS",
    "SUPPORT",
    "Claims",
    "ClaimsIn",
    "Granularity",
    "SupportIn",
    "SupportVerdict",
]

Granularity = Literal["low", "high"]


class ClaimsIn(BaseModel):
    """A text to split. `question` is only there to resolve pronouns.

    `atomicity` high: every claim holds one fact that cannot be split; low: facts that belong
    together may stay together. `coverage` high: every detail; low: the main points.
    """

    model_config = ConfigDict(frozen=True)

    question: str | None = None
    text: str
    atomicity: Granularity = "high"
    coverage: Granularity = "high"


class Claims(BaseModel):
    """The statements of a text, in its order; none when it states nothing.

    `refuses` is True when the text declines to answer or says that it does not know.
    """

    model_config = ConfigDict(frozen=True)

    refuses: bool = Field(description="true when the text declines or cannot answer")
    claims: list[str]


class SupportIn(ItemsIn):
    """Statements (the items) and the evidence against which each is checked.

    `question` is there for items that are the sentences of an answer: it tells what they are about.
    """

    question: str | None = None
    contexts: list[str]


class SupportVerdict(ItemVerdict):
    """Whether the evidence supports, contradicts or does not mention a statement."""

    reason: str = Field(default="", description="one short sentence")
    quote: str = Field(
        default="", description="the words of the contexts that decide it, copied; else empty"
    )
    verdict: Literal["supported", "contradicted", "not_mentioned"]
    probability: Probability = None

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        """Supported by any part is supported; else a contradiction beats silence."""
        rank = {"supported": 0, "contradicted": 1, "not_mentioned": 2}
        return min(parts, key=lambda part: rank[part.verdict])


EXTRACT_CLAIMS = Prompt("claims/extract", ClaimsIn, Claims)
SUPPORT = Prompt("claims/support", SupportIn, VerdictList[SupportVerdict], split="contexts")

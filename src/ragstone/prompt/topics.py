"""Topics: is a text about one of the given topics."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, Probability, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = ["TOPICS", "TopicVerdict", "TopicsIn"]


class TopicsIn(ItemsIn):
    """Texts (the items), and the topics to which they should keep."""

    topics: list[str] = Field(min_length=1)


class TopicVerdict(ItemVerdict):
    """Whether a text is about any of the topics."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["inside", "outside"]
    probability: Probability = None


TOPICS = Prompt("topics/inside", TopicsIn, VerdictList[TopicVerdict])

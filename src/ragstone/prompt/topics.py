"""Topics: those of a conversation, and whether a text is about one of the given topics."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.conversation import ConversationIn
from ragstone.prompt.items import ItemsIn, ItemVerdict, Probability, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = [
    "RAISED_TOPICS",
    "TOPICS",
    "RaisedTopic",
    "RaisedTopics",
    "TopicVerdict",
    "TopicsIn",
]


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


class RaisedTopic(BaseModel):
    """One topic that the user raises, and what the AI does about it."""

    model_config = ConfigDict(frozen=True)

    topic: str
    quote: str = Field(default="", description="the user's words that raise it, copied")
    reply: Literal["answered", "refused"]


class RaisedTopics(BaseModel):
    """The topics that the user raises in a conversation, each once."""

    model_config = ConfigDict(frozen=True)

    topics: list[RaisedTopic]


RAISED_TOPICS = Prompt("topics/raised", ConversationIn, RaisedTopics)

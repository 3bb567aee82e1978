"""Conversations: what the user wants and gets, and how the application keeps it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = [
    "FULFILMENT",
    "INTENTIONS",
    "RETENTION",
    "ROLE",
    "ConversationIn",
    "FulfilmentIn",
    "FulfilmentVerdict",
    "Intention",
    "Intentions",
    "RetentionIn",
    "RetentionVerdict",
    "RoleIn",
    "RoleVerdict",
]


class ConversationIn(BaseModel):
    """A conversation as text."""

    model_config = ConfigDict(frozen=True)

    conversation: str


class Intention(BaseModel):
    """One thing that the user wants, and the user's words that show it."""

    model_config = ConfigDict(frozen=True)

    intention: str
    quote: str = Field(default="", description="the user's words for it, copied")


class Intentions(BaseModel):
    """All that the user wants in a conversation, each once."""

    model_config = ConfigDict(frozen=True)

    intentions: list[Intention]


class FulfilmentIn(ItemsIn):
    """Intentions of the user (the items) and the conversation, in one part or several."""

    conversation: list[str]


class FulfilmentVerdict(ItemVerdict):
    """Whether the user got what was wanted."""

    reason: str = Field(default="", description="one short sentence")
    quote: str = Field(default="", description="the words of the AI that decide it, copied")
    verdict: Literal["satisfied", "unsatisfied"]

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        """Satisfied in any part of the conversation is satisfied."""
        return next((part for part in parts if part.verdict == "satisfied"), parts[0])


class RetentionIn(ItemsIn):
    """Messages of the AI (the items), and the conversation in which each stands as its item."""

    conversation: list[str]


class RetentionVerdict(ItemVerdict):
    """Whether a message of the AI keeps to what the user had said before it."""

    reason: str = Field(default="", description="one short sentence")
    quote: str = Field(default="", description="the user's words that were forgotten, copied")
    verdict: Literal["retained", "forgotten"]

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        """What was forgotten in view of any part of the conversation is forgotten."""
        return next((part for part in parts if part.verdict == "forgotten"), parts[0])


class RoleIn(ItemsIn):
    """Messages of the AI (the items), its role, and the conversation with the items in place."""

    role: str
    conversation: list[str]


class RoleVerdict(ItemVerdict):
    """Whether a message of the AI suits its role."""

    reason: str = Field(default="", description="one short sentence")
    quote: str = Field(default="", description="the words of the message that decide it, copied")
    verdict: Literal["in_role", "out_of_role"]

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        """Out of role in view of any part of the conversation is out of role."""
        return next((part for part in parts if part.verdict == "out_of_role"), parts[0])


INTENTIONS = Prompt("conversation/intentions", ConversationIn, Intentions)
FULFILMENT = Prompt(
    "conversation/fulfilment", FulfilmentIn, VerdictList[FulfilmentVerdict], split="conversation"
)
RETENTION = Prompt(
    "conversation/retention", RetentionIn, VerdictList[RetentionVerdict], split="conversation"
)
ROLE = Prompt("conversation/role", RoleIn, VerdictList[RoleVerdict], split="conversation")

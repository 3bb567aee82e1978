"""Entities: the names, dates, amounts and numbers of a text, and which of them contexts hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = [
    "ENTITY_SUPPORT",
    "EXTRACT_ENTITIES",
    "Entities",
    "EntitiesIn",
    "Entity",
    "EntityKind",
    "EntitySupportIn",
    "EntityVerdict",
]

EntityKind = Literal["person", "organization", "place", "date", "amount", "number", "other"]


class EntitiesIn(BaseModel):
    """A text."""

    model_config = ConfigDict(frozen=True)

    text: str


class Entity(BaseModel):
    """One mention of something with a name, a date, an amount of money or a number.

    `start` is its place in the text, from judges that know it; no LLM is asked to count characters.
    """

    model_config = ConfigDict(frozen=True)

    text: str = Field(description="the words of the text, copied")
    kind: EntityKind
    start: SkipJsonSchema[int | None] = None


class Entities(BaseModel):
    """The mentions in the order of the text; none when it names nothing."""

    model_config = ConfigDict(frozen=True)

    entities: list[Entity]


class EntitySupportIn(ItemsIn):
    """Entities (the items), and the contexts in which each is looked for."""

    contexts: list[str]


class EntityVerdict(ItemVerdict):
    """Whether the contexts mention an entity, in whatever form it is written."""

    quote: str = Field(default="", description="the words of the contexts for it, copied; or empty")
    verdict: Literal["supported", "unsupported"]

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        """Supported by any part is supported."""
        return next((part for part in parts if part.verdict == "supported"), parts[0])


EXTRACT_ENTITIES = Prompt("entities/extract", EntitiesIn, Entities)
ENTITY_SUPPORT = Prompt(
    "entities/support", EntitySupportIn, VerdictList[EntityVerdict], split="contexts"
)

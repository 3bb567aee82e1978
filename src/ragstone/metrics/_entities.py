"""Entities of a text, and which of them contexts hold: the steps that several metrics share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragstone.metrics._spans import find_quote
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.prompt.entities import (
    Entities,
    EntitiesIn,
    Entity,
    EntitySupportIn,
    EntityVerdict,
)
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import Span
from ragstone.tools.judge import Judge, fit

__all__ = [
    "EntitiesPrompt",
    "EntitySupportPrompt",
    "LookedUp",
    "find_entities",
    "look_up",
    "mentions",
]

EntitiesPrompt = Prompt[EntitiesIn, Entities]
EntitySupportPrompt = Prompt[EntitySupportIn, VerdictList[EntityVerdict]]
Mentions = Mapping[str, tuple[Span, ...]]


class LookedUp(NamedTuple):
    """An entity, whether the contexts hold it, their words for it, and the places of all these."""

    text: str
    held: bool
    quote: str
    spans: tuple[Span, ...]


async def find_entities(judge: Judge, prompt: EntitiesPrompt, field: str, text: str) -> Mentions:
    """Each entity of a field's text with its places; what does not stand there is none."""
    pieces = [piece for piece in fit(judge, text) if not blank(piece)]
    replies = await together(judge.ask(prompt, EntitiesIn(text=piece)) for piece in pieces)
    placed = len(pieces) == 1 and pieces[0] == text  # else places count from another start
    found = [entity for reply in replies for entity in reply.entities]
    return mentions(found, text, field, placed=placed)


async def look_up(
    judge: Judge, prompt: EntitySupportPrompt, named: Mentions, contexts: Sequence[str]
) -> list[LookedUp]:
    """Look for each entity in the contexts, of which at least one is not blank."""
    given = [text for text in contexts if not blank(text)]
    verdicts = await judge.verdicts(prompt, list(named), contexts=given)
    return [
        LookedUp(
            text,
            verdict.verdict == "supported",
            verdict.quote,
            spans + find_quote(verdict.quote, "retrieved_contexts", contexts),
        )
        for (text, spans), verdict in zip(named.items(), verdicts, strict=True)
    ]


def mentions(
    entities: Sequence[Entity], text: str, field: str = "response", *, placed: bool = True
) -> Mentions:
    """Each entity, as first written, with its places; those a judge names are taken if right."""
    names: dict[str, str] = {}
    places: dict[str, dict[Span, None]] = {}
    for entity in entities:
        written = entity.text.strip()
        spans = _places(entity, written, text, field, placed) if written else []
        if spans:
            key = " ".join(written.casefold().split())
            names.setdefault(key, written)
            places.setdefault(key, {}).update(dict.fromkeys(spans))
    return {names[key]: tuple(sorted(found, key=_start)) for key, found in places.items()}


def _start(span: Span) -> int:
    return span.start


def _places(entity: Entity, written: str, text: str, field: str, placed: bool) -> list[Span]:
    start = entity.start
    if placed and start is not None and start >= 0 and text.startswith(written, start):
        return [Span(field, start, start + len(written))]
    words = r"\s+".join(re.escape(word) for word in written.split())
    # as a word of its own; else anywhere, since many scripts write words together
    for pattern in (rf"(?<!\w){words}(?!\w)", words):
        if found := [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]:
            return [Span(field, *place) for place in found]
    return []

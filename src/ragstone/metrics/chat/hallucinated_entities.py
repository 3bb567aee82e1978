"""Hallucinated entities: which names, dates, amounts and numbers do the contexts not hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragstone.errors import Unscored
from ragstone.metrics._spans import find_quote
from ragstone.metrics._texts import blank, has_context, need_text
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.prompt.entities import (
    ENTITY_SUPPORT,
    EXTRACT_ENTITIES,
    Entities,
    EntitiesIn,
    Entity,
    EntitySupportIn,
    EntityVerdict,
)
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import Evidence, MetricResult, Span
from ragstone.tools.judge import Judge, fit

__all__ = ["HallucinatedEntities", "mentions"]


@dataclass(frozen=True, kw_only=True)
class HallucinatedEntities(Metric):
    """Share of the response's entities that the contexts lack, 0 to 1, lower is better.

    Entities are people, organizations, places, other names, dates, amounts and numbers; one that
    stands in the response several times counts once. The same one in another form is held: "Jan 15,
    1967" by "15 January 1967", "$1.2M" by "1,200,000 dollars", "Obama" by "Barack Obama". The
    evidence marks every mention in the response, flagged or supported. Unscored: a blank response
    (refusal); one without entities (no_entities); no or only blank contexts (1, the worst, with
    `strict`). Calls: one for the entities, one for every 50 of them. Source: Yurts, chat metrics,
    hallucination.
    """

    name: str = "hallucinated_entities"
    strict: bool = False
    extract_prompt: Prompt[EntitiesIn, Entities] = EXTRACT_ENTITIES
    support_prompt: Prompt[EntitySupportIn, VerdictList[EntityVerdict]] = ENTITY_SUPPORT
    higher_is_better: ClassVar[bool] = False

    async def measure(
        self, response: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Find the entities of the response and look for each in the contexts."""
        need_text(response, "refusal", "response")
        if not has_context(retrieved_contexts):
            reason = "there are no contexts, or only blank ones"
            if self.strict:
                return MetricResult(1.0, reason=reason)
            return MetricResult.unscored("no_context", reason)
        mentions = await self._mentions(response, judge)
        if not mentions:
            raise Unscored("no_entities", "the response names nothing: no name, date or number")
        contexts = [text for text in retrieved_contexts if not blank(text)]
        verdicts = await judge.verdicts(self.support_prompt, list(mentions), contexts=contexts)
        evidence = tuple(
            Evidence(
                text,
                "supported" if verdict.verdict == "supported" else "hallucinated",
                reason=verdict.quote,
                spans=spans + find_quote(verdict.quote, "retrieved_contexts", retrieved_contexts),
            )
            for (text, spans), verdict in zip(mentions.items(), verdicts, strict=True)
        )
        flagged = [piece.text for piece in evidence if piece.verdict == "hallucinated"]
        said = f"{len(flagged)} of {len(evidence)} entities are not in the contexts"
        reason = f"{said}: {', '.join(flagged)}" if flagged else said
        return MetricResult(len(flagged) / len(evidence), reason=reason, evidence=evidence)

    async def _mentions(self, response: str, judge: Judge) -> dict[str, tuple[Span, ...]]:
        """Each entity with the places where it stands; what does not stand there is none."""
        pieces = [piece for piece in fit(judge, response) if not blank(piece)]
        replies = await together(
            judge.ask(self.extract_prompt, EntitiesIn(text=piece)) for piece in pieces
        )
        placed = len(pieces) == 1 and pieces[0] == response  # else places count from another start
        found = [entity for reply in replies for entity in reply.entities]
        return mentions(found, response, placed=placed)


def mentions(
    entities: Sequence[Entity], text: str, *, placed: bool = True
) -> dict[str, tuple[Span, ...]]:
    """Each entity, as first written, with its places; those a judge names are taken if right."""
    names: dict[str, str] = {}
    places: dict[str, dict[Span, None]] = {}
    for entity in entities:
        written = entity.text.strip()
        spans = _places(entity, written, text, placed) if written else []
        if spans:
            key = " ".join(written.casefold().split())
            names.setdefault(key, written)
            places.setdefault(key, {}).update(dict.fromkeys(spans))
    return {names[key]: tuple(sorted(found, key=_start)) for key, found in places.items()}


def _start(span: Span) -> int:
    return span.start


def _places(entity: Entity, written: str, text: str, placed: bool) -> list[Span]:
    start = entity.start
    if placed and start is not None and start >= 0 and text.startswith(written, start):
        return [Span("response", start, start + len(written))]
    words = r"\s+".join(re.escape(word) for word in written.split())
    found = re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
    return [Span("response", match.start(), match.end()) for match in found]

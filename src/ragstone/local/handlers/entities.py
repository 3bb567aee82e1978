"""entities/extract and entities/support: what a text names, and which of it contexts hold."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.entities import mentions
from ragstone.local.entitysupport import held
from ragstone.prompt.entities import Entities, EntitiesIn, Entity, EntitySupportIn, EntityVerdict
from ragstone.prompt.items import VerdictList

__all__ = ["extract_entities", "support_entities"]


def extract_entities(data: EntitiesIn, _model: Encoder) -> Entities:
    """The entities of the text with their places."""
    found = [Entity(text=m.text, kind=m.kind, start=m.start) for m in mentions(data.text)]
    return Entities(entities=found)


def support_entities(data: EntitySupportIn, _model: Encoder) -> VerdictList[EntityVerdict]:
    """Each entity by comparison of dates, numbers and names, without any model."""
    verdicts = []
    for item in data.items:
        quote = held(item.text, data.contexts)
        verdict = EntityVerdict(
            id=item.id,
            quote=quote or "",
            verdict="unsupported" if quote is None else "supported",
        )
        verdicts.append(verdict)
    return VerdictList[EntityVerdict](verdicts=verdicts)

"""Context entity recall: do the contexts name what the reference names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._entities import EntitiesPrompt, EntitySupportPrompt, find_entities, look_up
from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.prompt.entities import ENTITY_SUPPORT, EXTRACT_ENTITIES
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["ContextEntityRecall"]


@dataclass(frozen=True, kw_only=True)
class ContextEntityRecall(Metric):
    """Share of the reference's entities that the contexts name, 0 to 1, higher is better.

    Entities are people, organizations, places, other names, dates, amounts and numbers; one that
    stands in the reference several times counts once. The contexts may write it in another form:
    "Jan 15, 1967" for "15 January 1967", "WHO" for "World Health Organization". Unscored: a blank
    reference (no_reference); one without entities (no_entities); no or only blank contexts (0 with
    `strict`). Calls: one for the entities, one for every 50 of them. Source: Ragas documentation,
    context entities recall.
    """

    name: str = "context_entity_recall"
    strict: bool = False
    context_entity_recall_prompt: EntitiesPrompt = EXTRACT_ENTITIES
    support_prompt: EntitySupportPrompt = ENTITY_SUPPORT

    async def measure(
        self, reference: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Find the entities of the reference and look for each in the contexts."""
        need_text(reference, "no_reference", "reference")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        named = await find_entities(
            judge, self.context_entity_recall_prompt, "reference", reference
        )
        if not named:
            raise Unscored("no_entities", "the reference names nothing: no name, date or number")
        found = await look_up(judge, self.support_prompt, named, retrieved_contexts)
        evidence = tuple(
            Evidence(text, "present" if held else "missing", reason=quote, spans=spans)
            for text, held, quote, spans in found
        )
        present = sum(piece.verdict == "present" for piece in evidence)
        missing = [piece.text for piece in evidence if piece.verdict == "missing"]
        reason = f"{present} of {len(evidence)} entities are in the contexts"
        if missing:
            reason += f"; not there: {', '.join(missing)}"
        return MetricResult(present / len(evidence), reason=reason, evidence=evidence)

"""Hallucinated entities: which names, dates, amounts and numbers do the contexts not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragstone.errors import Unscored
from ragstone.metrics._entities import EntitiesPrompt, EntitySupportPrompt, find_entities, look_up
from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.prompt.entities import ENTITY_SUPPORT, EXTRACT_ENTITIES
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["HallucinatedEntities"]


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
    extract_prompt: EntitiesPrompt = EXTRACT_ENTITIES
    support_prompt: EntitySupportPrompt = ENTITY_SUPPORT
    higher_is_better: ClassVar[bool] = False

    async def measure(
        self, response: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Find the entities of the response and look for each in the contexts."""
        need_text(response, "refusal", "response")
        if not has_context(retrieved_contexts):
            return no_context(self.strict, worst=1.0)
        named = await find_entities(judge, self.extract_prompt, "response", response)
        if not named:
            raise Unscored("no_entities", "the response names nothing: no name, date or number")
        found = await look_up(judge, self.support_prompt, named, retrieved_contexts)
        evidence = tuple(
            Evidence(text, "supported" if held else "hallucinated", reason=quote, spans=spans)
            for text, held, quote, spans in found
        )
        flagged = [piece.text for piece in evidence if piece.verdict == "hallucinated"]
        said = f"{len(flagged)} of {len(evidence)} entities are not in the contexts"
        reason = f"{said}: {', '.join(flagged)}" if flagged else said
        return MetricResult(len(flagged) / len(evidence), reason=reason, evidence=evidence)

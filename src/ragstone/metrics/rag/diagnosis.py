"""Diagnosis: what retrieval and generation each got right, from claims that are extracted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from ragstone.errors import UsageError
from ragstone.metrics._claims import ClaimsPrompt, Source, extract
from ragstone.metrics._sources import SourcesPrompt, find_sources
from ragstone.metrics._texts import blank, has_context, need_text, no_context
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._diagnosed import LOWER, MEASURED, UNDEFINED, Claim, Diagnosed, Measure
from ragstone.prompt.claims import EXTRACT_CLAIMS
from ragstone.prompt.classification import CLASSIFICATION, StatementsIn, StatementVerdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.sources import SOURCES
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["Diagnosis"]


@dataclass(frozen=True, kw_only=True)
class Diagnosis(Metric):
    """Ten shares of claims in one pass, each 0 to 1; `mode` chooses the one that is the value.

    f1, precision, recall (response and reference state the same); claim_recall, faithfulness (the
    contexts support the claims of the reference, of the response); context_utilization (of the
    supported claims of the reference, those that the response makes); and, where lower is better,
    hallucination, noise_sensitivity_relevant, noise_sensitivity_irrelevant (claims that are wrong,
    and supported by no context, by one that supports the reference, by others only) and
    self_knowledge (right, and supported by no context). For the others higher is better. All ten
    stand in the evidence, before the claims; `values` reads them. Several modes in one run share
    their calls. Unscored: no or only blank contexts; a response that refuses or claims nothing, a
    reference without claims; a share of nothing (not_applicable). Calls: 4. Source: Ru et al. 2024
    (RAGChecker).
    """

    name: str = "diagnosis"
    mode: Measure = "f1"
    claims_prompt: ClaimsPrompt = EXTRACT_CLAIMS
    classifier_prompt: Prompt[StatementsIn, VerdictList[StatementVerdict]] = CLASSIFICATION
    sources_prompt: SourcesPrompt = SOURCES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mode not in get_args(Measure):
            known = ", ".join(get_args(Measure))
            raise UsageError(f"mode must be one of {known}, not {self.mode!r}")
        object.__setattr__(self, "higher_is_better", self.mode not in LOWER)

    async def measure(
        self,
        response: str,
        reference: str,
        retrieved_contexts: Sequence[str],
        user_input: str = "",
        *,
        judge: Judge,
    ) -> MetricResult:
        """Extract the claims of both texts, and look for each in the other and in the contexts."""
        ours = Source("response", need_text(response, "refusal", "response"))
        theirs = Source("reference", need_text(reference, "no_claims", "reference"))
        if not has_context(retrieved_contexts):
            return no_context(strict=False)
        mine, others = await together(
            extract(judge, self.claims_prompt, source, question=user_input)
            for source in (ours, theirs)
        )
        found = await self._diagnosed(judge, user_input, mine, others, retrieved_contexts)
        evidence = found.evidence(ours, theirs, retrieved_contexts)
        shares = [piece for piece in evidence if piece.verdict in (MEASURED, UNDEFINED)]
        told = ", ".join(f"{s.text} {s.weight:.3g}" for s in shares if s.weight is not None)
        chosen = next(piece for piece in shares if piece.text == self.mode)
        if chosen.weight is None:
            return MetricResult.unscored("not_applicable", f"{chosen.reason}; {told}", evidence)
        return MetricResult(chosen.weight, reason=told, evidence=evidence)

    async def _diagnosed(
        self,
        judge: Judge,
        question: str,
        mine: Sequence[str],
        others: Sequence[str],
        contexts: Sequence[str],
    ) -> Diagnosed:
        both = [*mine, *others]
        behind = await find_sources(judge, self.sources_prompt, both, contexts)
        verdicts = await judge.verdicts(
            self.classifier_prompt,
            both,
            question=None if blank(question) else question,
            answer=list(mine),
            reference=list(others),
        )
        claims = [
            Claim(text, verdict.verdict == "shared", found, verdict.reason)
            for text, verdict, found in zip(both, verdicts, behind, strict=True)
        ]
        return Diagnosed(claims[: len(mine)], claims[len(mine) :])

    @staticmethod
    def values(result: MetricResult) -> dict[str, float | None]:
        """The ten shares of a result by name; None for a share of nothing."""
        labels = (MEASURED, UNDEFINED)
        return {piece.text: piece.weight for piece in result.evidence if piece.verdict in labels}

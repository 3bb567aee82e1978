"""Noise sensitivity: how much of the response is wrong, and which contexts mislead it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from ragstone.errors import UsageError
from ragstone.metrics._claims import (
    CheckedClaims,
    ClaimsPrompt,
    Source,
    SupportPrompt,
    check,
    extract,
)
from ragstone.metrics._sources import SourcesPrompt, find_sources
from ragstone.metrics._texts import has_context, need_text, no_context, whole
from ragstone.metrics._together import both, together
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT
from ragstone.prompt.sources import SOURCES
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["NoiseSensitivity"]

NoiseMode = Literal["relevant", "irrelevant", "unsupported"]


@dataclass(frozen=True, kw_only=True)
class NoiseSensitivity(Metric):
    """Share of the response's claims that are wrong in one of three ways, 0 to 1, lower is better.

    A claim is wrong when the reference does not support it; a context is relevant when it supports
    a claim of the reference. `mode` relevant: wrong, and supported by a relevant context;
    irrelevant: wrong, and supported by irrelevant contexts only; unsupported: wrong, and supported
    by no context. The three add up to all wrong claims. Unscored: no or only blank contexts (1, the
    worst, with `strict`); a response that is empty, refuses, or claims nothing; a reference without
    claims. Calls: 4, of which faithfulness and context_recall share 2. Source: Ru et al. 2024
    (RAGChecker); Ragas documentation, noise sensitivity.
    """

    name: str = "noise_sensitivity"
    mode: NoiseMode = "relevant"
    strict: bool = False
    statement_generator_prompt: ClaimsPrompt = EXTRACT_CLAIMS
    nli_statement_prompt: SupportPrompt = SUPPORT
    sources_prompt: SourcesPrompt = SOURCES
    higher_is_better: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mode not in get_args(NoiseMode):
            raise UsageError(f"mode must be one of {', '.join(_WRONG)}, not {self.mode!r}")

    async def measure(
        self,
        user_input: str,
        response: str,
        reference: str,
        retrieved_contexts: Sequence[str],
        *,
        judge: Judge,
    ) -> MetricResult:
        """Check the claims against the reference, and all claims against each context."""
        ours = Source("response", need_text(response, "refusal", "response"))
        theirs = Source("reference", need_text(reference, "no_claims", "reference"))
        if not has_context(retrieved_contexts):
            return no_context(self.strict, worst=1.0)
        claims, expected = await together(
            extract(judge, self.statement_generator_prompt, source, question=user_input)
            for source in (ours, theirs)
        )
        nli, against = self.nli_statement_prompt, theirs.field
        checked, behind = await both(
            check(judge, nli, claims, of=ours, against=against, texts=reference),
            find_sources(judge, self.sources_prompt, [*claims, *expected], retrieved_contexts),
        )
        relevant = frozenset[int]().union(*behind[len(claims) :])
        return self._result(checked, behind[: len(claims)], relevant, retrieved_contexts)

    def _result(
        self,
        checked: CheckedClaims,
        behind: Sequence[frozenset[int]],
        relevant: frozenset[int],
        contexts: Sequence[str],
    ) -> MetricResult:
        evidence = []
        for piece, verdict, places in zip(checked.evidence, checked.verdicts, behind, strict=True):
            right = verdict.verdict == "supported"
            label = "supported" if right else _WRONG[_kind(places, relevant)]
            misled = () if right else sorted(places)
            spans = (whole("retrieved_contexts", contexts[n], n) for n in misled)
            evidence.append(Evidence(piece.text, label, piece.reason, (*piece.spans, *spans)))
        wrong = [sum(piece.verdict == label for piece in evidence) for label in _WRONG.values()]
        reason = (
            f"{sum(wrong)} of {checked.total} claims wrong: {wrong[0]} held by a relevant context, "
            f"{wrong[1]} by irrelevant ones only, {wrong[2]} by none; "
            f"{len(relevant)} of {len(contexts)} contexts relevant"
        )
        value = dict(zip(_WRONG, wrong, strict=True))[self.mode] / checked.total
        return MetricResult(value, reason=reason, evidence=tuple(evidence))


_WRONG: dict[NoiseMode, str] = {
    "relevant": "wrong_by_relevant",
    "irrelevant": "wrong_by_irrelevant",
    "unsupported": "wrong_by_none",
}
"""Mode -> label of a wrong claim that counts in it."""


def _kind(places: frozenset[int], relevant: frozenset[int]) -> NoiseMode:
    if not places:
        return "unsupported"
    return "relevant" if places & relevant else "irrelevant"

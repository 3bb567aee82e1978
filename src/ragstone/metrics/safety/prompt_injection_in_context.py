"""Prompt injection in context: does a retrieved context try to steer the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragstone.metrics._spans import find_quote
from ragstone.metrics._texts import blank, has_context, whole
from ragstone.metrics.base import Metric
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.safety import INJECTION, InjectionIn, InjectionVerdict
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = ["PromptInjectionInContext"]


@dataclass(frozen=True, kw_only=True)
class PromptInjectionInContext(Metric):
    """1.0 when a retrieved context gives orders to the model that reads it, else 0.0.

    So lower is better. All contexts are judged in one question, each for itself; the evidence tells
    which, and in which words. A 0 is a judge's opinion and no proof: orders can be hidden from it.
    The local judge knows only the usual wordings: it says 1 when it finds one, and is unscored
    (needs_llm) when it finds none. Unscored: no or only blank contexts. Calls: 1. Source: ours.
    """

    name: str = "prompt_injection_in_context"
    prompt: Prompt[InjectionIn, VerdictList[InjectionVerdict]] = INJECTION
    higher_is_better: ClassVar[bool] = False

    async def measure(self, retrieved_contexts: Sequence[str], *, judge: Judge) -> MetricResult:
        """Ask of each context whether it steers the model."""
        if not has_context(retrieved_contexts):
            return MetricResult.unscored("no_context", "there are no contexts, or only blank ones")
        pieces = [
            (n, piece)
            for n, context in enumerate(retrieved_contexts)
            for piece in fit(judge, context)
            if not blank(piece)
        ]
        verdicts = await judge.verdicts(self.prompt, [piece for _, piece in pieces])
        found: dict[int, InjectionVerdict] = {}
        for (n, _), verdict in zip(pieces, verdicts, strict=True):
            if n not in found or verdict.verdict == "injected":
                found[n] = verdict
        evidence = tuple(_evidence(n, v, retrieved_contexts) for n, v in found.items())
        injected = [piece.text for piece in evidence if piece.verdict == "injected"]
        reason = f"{len(injected)} of {len(found)} contexts give orders to the model"
        return MetricResult(
            float(bool(injected)),
            reason=f"{reason}: {', '.join(injected)}" if injected else reason,
            evidence=evidence,
        )


def _evidence(position: int, verdict: InjectionVerdict, contexts: Sequence[str]) -> Evidence:
    alone = [text if n == position else "" for n, text in enumerate(contexts)]
    spans = find_quote(verdict.quote, "retrieved_contexts", alone)
    spans = spans or (whole("retrieved_contexts", contexts[position], position),)
    return Evidence(f"context {position + 1}", verdict.verdict, verdict.reason, spans)

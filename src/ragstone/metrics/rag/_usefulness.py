"""The step that context precision and context utilization share."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.metrics._ranks import average_precision
from ragstone.metrics._texts import blank, whole
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.retrieval import Usefulness, UsefulnessIn
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = ["UsefulnessPrompt", "rank_usefulness"]

UsefulnessPrompt = Prompt[UsefulnessIn, VerdictList[Usefulness]]


async def rank_usefulness(
    judge: Judge, prompt: UsefulnessPrompt, question: str, answer: str, contexts: Sequence[str]
) -> MetricResult:
    """Average precision of the contexts, all asked about in one call, each judged for itself.

    A blank context is not useful; one that is too long for a question is useful when a part is.
    """
    pieces = [
        (n, piece)
        for n, context in enumerate(contexts)
        if not blank(context)
        for piece in fit(judge, context, question, answer)
        if not blank(piece)
    ]
    verdicts = await judge.verdicts(
        prompt, [piece for _, piece in pieces], question=question, answer=answer
    )
    found = [Usefulness(id="", reason="the context is blank", verdict="not_useful")] * len(contexts)
    for (n, _), verdict in zip(pieces, verdicts, strict=True):
        if found[n].verdict != "useful":
            found[n] = verdict
    useful = [verdict.verdict == "useful" for verdict in found]
    evidence = tuple(
        Evidence(
            text=f"context {n + 1}",
            verdict=verdict.verdict,
            reason=verdict.reason,
            spans=(whole("retrieved_contexts", contexts[n], n),),
        )
        for n, verdict in enumerate(found)
    )
    ranks = ", ".join(str(n) for n, yes in enumerate(useful, start=1) if yes) or "none"
    reason = f"{sum(useful)} of {len(useful)} contexts useful, at rank {ranks}"
    return MetricResult(average_precision(useful), reason=reason, evidence=evidence)

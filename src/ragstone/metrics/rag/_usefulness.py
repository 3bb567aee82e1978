"""The step that context precision and context utilization share."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.metrics._ranks import average_precision
from ragstone.metrics._texts import blank, whole
from ragstone.metrics._together import together
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.retrieval import Usefulness, UsefulnessIn
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = ["UsefulnessPrompt", "rank_usefulness"]

UsefulnessPrompt = Prompt[UsefulnessIn, Usefulness]


async def rank_usefulness(
    judge: Judge, prompt: UsefulnessPrompt, question: str, answer: str, contexts: Sequence[str]
) -> MetricResult:
    """Average precision of the contexts, each judged for itself.

    A blank context is not useful; one that is too long for a question is useful when a part is.
    """

    async def judge_one(context: str) -> Usefulness:
        if blank(context):
            return Usefulness(reason="the context is blank", verdict="not_useful")
        pieces = fit(judge, context, question, answer)
        verdicts = await together(
            judge.ask(prompt, UsefulnessIn(question=question, answer=answer, context=piece))
            for piece in pieces
        )
        return next((found for found in verdicts if found.verdict == "useful"), verdicts[0])

    verdicts = await together(judge_one(context) for context in contexts)
    useful = [verdict.verdict == "useful" for verdict in verdicts]
    evidence = tuple(
        Evidence(
            text=f"context {n + 1}",
            verdict=verdict.verdict,
            reason=verdict.reason,
            spans=(whole("retrieved_contexts", contexts[n], n),),
        )
        for n, verdict in enumerate(verdicts)
    )
    ranks = ", ".join(str(n) for n, yes in enumerate(useful, start=1) if yes) or "none"
    reason = f"{sum(useful)} of {len(useful)} contexts useful, at rank {ranks}"
    return MetricResult(average_precision(useful), reason=reason, evidence=evidence)

"""The step that context precision and context utilization share."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ragstone.errors import Unscored
from ragstone.metrics._ranks import average_precision
from ragstone.metrics._texts import blank, whole
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.retrieval import Usefulness, UsefulnessIn
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["UsefulnessPrompt", "rank_usefulness"]

UsefulnessPrompt = Prompt[UsefulnessIn, Usefulness]


async def rank_usefulness(
    judge: Judge, prompt: UsefulnessPrompt, question: str, answer: str, contexts: Sequence[str]
) -> MetricResult:
    """Average precision of the contexts, each judged for itself; a blank context is not useful."""

    async def judge_one(context: str) -> Usefulness:
        if blank(context):
            return Usefulness(reason="the context is blank", verdict="not_useful")
        return await judge.ask(
            prompt, UsefulnessIn(question=question, answer=answer, context=context)
        )

    found = await asyncio.gather(*(judge_one(c) for c in contexts), return_exceptions=True)
    verdicts = [v for v in found if isinstance(v, Usefulness)]
    if len(verdicts) < len(contexts):
        raise _worst([e for e in found if isinstance(e, BaseException)], len(contexts))
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


def _worst(errors: Sequence[BaseException], total: int) -> BaseException:
    """A break comes before an honest lack of a verdict."""
    broken = [error for error in errors if not isinstance(error, Unscored)]
    if broken:
        return broken[0]
    first = errors[0]
    assert isinstance(first, Unscored)
    return Unscored(
        first.code, f"{len(errors)} of {total} contexts without verdict: {first.detail}"
    )

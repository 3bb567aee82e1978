"""Context precision: do the useful contexts come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._usefulness import UsefulnessPrompt, rank_usefulness
from ragstone.prompt.retrieval import USEFULNESS
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["ContextPrecision"]


@dataclass(frozen=True, kw_only=True)
class ContextPrecision(Metric):
    """Average precision of the contexts by use for the reference, 0 to 1, higher is better.

    Mean of precision@k over the ranks k with a useful context; 0 when none is useful. Unscored: no
    or only blank contexts (0 with `strict`); a blank question or reference. Calls: 1.
    Source: Ragas documentation, context precision.
    """

    name: str = "context_precision"
    strict: bool = False
    prompt: UsefulnessPrompt = USEFULNESS

    async def measure(
        self, user_input: str, retrieved_contexts: Sequence[str], reference: str, *, judge: Judge
    ) -> MetricResult:
        """Judge each context by its use for the reference answer."""
        question = need_text(user_input, "no_question", "user_input")
        answer = need_text(reference, "no_reference", "reference")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        return await rank_usefulness(judge, self.prompt, question, answer, retrieved_contexts)

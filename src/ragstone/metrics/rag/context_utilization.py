"""Context utilization: do the contexts that the response draws on come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._usefulness import UsefulnessPrompt, rank_usefulness
from ragstone.prompt.retrieval import USEFULNESS
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["ContextUtilization"]


@dataclass(frozen=True, kw_only=True)
class ContextUtilization(Metric):
    """Average precision of the contexts by use for the response, 0 to 1, higher is better.

    As context precision, with the response in the place of the reference. Unscored: no or only
    blank contexts (0 with `strict`); a blank question or response (refusal). Calls: 1.
    Source: Ragas documentation, context utilization.
    """

    name: str = "context_utilization"
    strict: bool = False
    prompt: UsefulnessPrompt = USEFULNESS

    async def measure(
        self, user_input: str, response: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Judge each context by its use for the response."""
        question = need_text(user_input, "no_question", "user_input")
        answer = need_text(response, "refusal", "response")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        return await rank_usefulness(judge, self.prompt, question, answer, retrieved_contexts)

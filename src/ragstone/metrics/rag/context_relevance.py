"""Context relevance: two ratings of how far the contexts answer the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._ratings import in_parts, rate_twice
from ragstone.metrics._texts import blank, has_context, need_text, no_context, whole
from ragstone.metrics.base import Metric
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.ratings import RELEVANCE_1, RELEVANCE_2, Rating, RelevanceRatingIn
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["ContextRelevance"]

_TOP = 2


@dataclass(frozen=True, kw_only=True)
class ContextRelevance(Metric):
    """How far the contexts together hold what answers the question, 0 to 1, higher is better.

    The judge rates all contexts twice, in different words: 2 in full, 1 in part, 0 not at all; the
    value is the mean of both as shares of 2. If the judge gives no usable rating for one of them,
    the other counts alone and the reason says so. Contexts too long for one question are rated in
    parts, of which the best counts. The local judge does not tell full from partial answers, so it
    is unscored (needs_llm) there. Unscored: no or only blank contexts (0 with `strict`), a blank
    question. Calls: 2. Source: NVIDIA dual judges, Ragas documentation.
    """

    name: str = "context_relevance"
    strict: bool = False
    judge1_prompt: Prompt[RelevanceRatingIn, Rating] = RELEVANCE_1
    judge2_prompt: Prompt[RelevanceRatingIn, Rating] = RELEVANCE_2

    async def measure(
        self, user_input: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Rate the contexts as a whole."""
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        need_text(user_input, "no_question", "question")
        parts = in_parts(judge, RelevanceRatingIn, retrieved_contexts, question=user_input)
        spans = tuple(
            whole("retrieved_contexts", text, n)
            for n, text in enumerate(retrieved_contexts)
            if not blank(text)
        )
        prompts = (self.judge1_prompt, self.judge2_prompt)
        return await rate_twice(judge, prompts, (parts, parts), _TOP, spans)

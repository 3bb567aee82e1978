"""Response groundedness: two ratings of how far the contexts support the response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._ratings import in_parts, rate_twice
from ragstone.metrics._texts import has_context, need_text, no_context, whole
from ragstone.metrics.base import Metric
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.ratings import (
    GROUNDEDNESS_1,
    GROUNDEDNESS_2,
    GroundednessIn,
    GroundednessRating,
)
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["ResponseGroundedness"]

_TOP = 2


@dataclass(frozen=True, kw_only=True)
class ResponseGroundedness(Metric):
    """How far the contexts support what the response asserts, 0 to 1, higher is better.

    The judge rates the response twice, in different words: 2 all of it, 1 a part, 0 nothing; the
    value is the mean of both as shares of 2. If the judge gives no usable rating for one of them,
    the other counts alone and the reason says so. Contexts too long for one question are rated in
    parts, of which the best counts. The local judge rates by its verdicts on the statements of the
    response, alike for both. Unscored: no or only blank contexts (0 with `strict`); a
    response that is blank, declines or states nothing (refusal). Calls: 2. Source: NVIDIA dual
    judges, Ragas documentation.
    """

    name: str = "response_groundedness"
    strict: bool = False
    judge1_prompt: Prompt[GroundednessIn, GroundednessRating] = GROUNDEDNESS_1
    judge2_prompt: Prompt[GroundednessIn, GroundednessRating] = GROUNDEDNESS_2

    async def measure(
        self, response: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Rate the response as a whole."""
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        need_text(response, "refusal", "response")
        parts = in_parts(judge, GroundednessIn, retrieved_contexts, response=response)
        prompts = (self.judge1_prompt, self.judge2_prompt)
        spans = (whole("response", response),)
        return await rate_twice(judge, prompts, (parts, parts), _TOP, spans)

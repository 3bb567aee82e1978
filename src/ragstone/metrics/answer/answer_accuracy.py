"""Answer accuracy: two ratings of how far response and reference agree."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._ratings import rate_twice
from ragstone.metrics._texts import blank, need_text, whole
from ragstone.metrics.base import Metric
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.ratings import ACCURACY_1, ACCURACY_2, AccuracyIn, AccuracyRating
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["AnswerAccuracy"]

_TOP = 4


@dataclass(frozen=True, kw_only=True)
class AnswerAccuracy(Metric):
    """Agreement of response and reference, 0 to 1, higher is better.

    The judge rates twice, in different words: the response against the reference, then the
    reference against the response. 4 is full agreement in names, numbers, dates and units, 2
    partial, 0 none; the value is the mean of both as shares of 4. If the judge gives no usable
    rating for one of them, the other counts alone and the reason says so. The local judge does not
    tell full from partial agreement, so it is unscored (needs_llm) there. Unscored: a blank
    response (refusal), a blank reference. Calls: 2. Source: NVIDIA dual judges, Ragas
    documentation.
    """

    name: str = "answer_accuracy"
    judge1_prompt: Prompt[AccuracyIn, AccuracyRating] = ACCURACY_1
    judge2_prompt: Prompt[AccuracyIn, AccuracyRating] = ACCURACY_2

    async def measure(
        self, user_input: str, response: str, reference: str, *, judge: Judge
    ) -> MetricResult:
        """Rate each text against the other."""
        need_text(response, "refusal", "response")
        need_text(reference, "no_reference", "reference")
        question = None if blank(user_input) else user_input
        forward = AccuracyIn(question=question, answer=response, reference=reference)
        swapped = AccuracyIn(question=question, answer=reference, reference=response)
        prompts = (self.judge1_prompt, self.judge2_prompt)
        spans = (whole("response", response),)
        return await rate_twice(judge, prompts, ([forward], [swapped]), _TOP, spans)

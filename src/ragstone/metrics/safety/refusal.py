"""Refusal: does the response decline to answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ragstone.metrics._spans import find_quote
from ragstone.metrics._texts import blank, whole
from ragstone.metrics.base import Metric
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.refusal import REFUSAL, RefusalIn, RefusalVerdict
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["Refusal"]


@dataclass(frozen=True, kw_only=True)
class Refusal(Metric):
    """1.0 when the response declines to answer or says that it does not know, else 0.0.

    So lower is better; the mean over a data set is the refusal rate, which others leave out of
    their scores. A blank response counts as a refusal. The local judge goes by the usual wordings
    of refusals, English ones above all. Unscored: never by itself. Calls: 1.
    Source: ours; the refusal rate of the Ragas documentation.
    """

    name: str = "refusal"
    prompt: Prompt[RefusalIn, RefusalVerdict] = REFUSAL
    higher_is_better: ClassVar[bool] = False

    async def measure(self, response: str, user_input: str = "", *, judge: Judge) -> MetricResult:
        """Ask whether the response declines."""
        if blank(response):
            return MetricResult(1.0, reason="the response is blank")
        question = None if blank(user_input) else user_input
        found = await judge.ask(self.prompt, RefusalIn(question=question, response=response))
        spans = find_quote(found.quote, "response", response) or (whole("response", response),)
        evidence = Evidence(found.quote or "response", found.verdict, found.reason, spans)
        return MetricResult(
            float(found.verdict == "refuses"), reason=found.reason or None, evidence=(evidence,)
        )

"""Query-context agreement: do the sentences of the contexts bear on the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.chat._sentences import context_sentences
from ragstone.metrics.chat._spread import Spread
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.relevance import RELEVANCE, RelevanceIn, RelevanceVerdict
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["QueryContextAgreement"]


@dataclass(frozen=True, kw_only=True)
class QueryContextAgreement(Metric):
    """Mean relevance of the contexts' sentences to the question, 0 to 1, higher is better.

    The local judge reads the question with every sentence in a cross-encoder; its calibrated
    probabilities are averaged. An LLM says relevant (1) or irrelevant (0). The evidence holds each
    sentence with its number, and std, min and max. Unscored: a blank question; no or only blank
    contexts, or none with a letter or digit (0 with `strict`). Calls: one for every 50 sentences.
    Source: Yurts, chat metrics, query-context agreement.
    """

    name: str = "query_context_agreement"
    strict: bool = False
    prompt: Prompt[RelevanceIn, VerdictList[RelevanceVerdict]] = RELEVANCE

    async def measure(
        self, user_input: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Judge every sentence by its use for the question."""
        question = need_text(user_input, "no_question", "user_input")
        found = context_sentences(retrieved_contexts) if has_context(retrieved_contexts) else []
        if not found:
            return no_context(self.strict)
        texts = list(dict.fromkeys(sentence.text for sentence in found))
        verdicts = await judge.verdicts(self.prompt, texts, question=question)
        known = dict(zip(texts, verdicts, strict=True))
        values = [_relevance(known[sentence.text]) for sentence in found]
        evidence = tuple(
            Evidence(s.text, known[s.text].verdict, spans=(s.span,), weight=value)
            for s, value in zip(found, values, strict=True)
        )
        spread = Spread.of(values)
        reason = f"mean relevance of {len(values)} sentences, {spread.words()}"
        return MetricResult(spread.mean, reason=reason, evidence=evidence + spread.evidence())


def _relevance(verdict: RelevanceVerdict) -> float:
    if verdict.probability is not None:
        return verdict.probability
    return float(verdict.verdict == "relevant")

"""Context recall: did retrieval bring what the reference answer needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._claims import Source, SupportPrompt, check
from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import SUPPORT
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge
from ragstone.tools.sentences import statements

__all__ = ["ContextRecall"]


@dataclass(frozen=True, kw_only=True)
class ContextRecall(Metric):
    """Share of the reference's sentences that the contexts support, 0 to 1, higher is better.

    The reference stands for the ideal contexts. Its sentences, and the entries of its lists, are
    found without a judge; one of which only a part is supported is not. The question, if there is
    one, tells what a short answer is about. Unscored: no or only blank contexts (0 with `strict`);
    a reference without words. Calls: 1. Source: Ragas documentation, context recall.
    """

    name: str = "context_recall"
    strict: bool = False
    prompt: SupportPrompt = SUPPORT

    async def measure(
        self,
        retrieved_contexts: Sequence[str],
        reference: str,
        user_input: str = "",
        *,
        judge: Judge,
    ) -> MetricResult:
        """Look for each sentence of the reference in the contexts."""
        source = Source("reference", need_text(reference, "no_claims", "reference"))
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        said = list(dict.fromkeys(piece.text for piece in statements(reference)))
        if not said:
            raise Unscored("no_claims", "the reference holds no words")
        checked = await check(
            judge,
            self.prompt,
            said,
            of=source,
            against="retrieved_contexts",
            texts=retrieved_contexts,
            question=user_input,
        )
        return MetricResult(
            checked.supported / checked.total,
            reason=checked.summary().replace("claims", "sentences"),
            evidence=checked.evidence,
        )

"""Context recall: did retrieval bring what the reference answer needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._claims import ClaimsPrompt, Source, SupportPrompt, share_supported
from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["ContextRecall"]


@dataclass(frozen=True, kw_only=True)
class ContextRecall(Metric):
    """Share of the reference's claims that the contexts support, 0 to 1, higher is better.

    The reference stands for the ideal contexts. Its claims are extracted first and then checked, so
    the denominator is ours. Unscored: no or only blank contexts (0 with `strict`); a reference that
    is blank or claims nothing. Calls: 2. Source: Ragas documentation, context recall.
    """

    name: str = "context_recall"
    strict: bool = False
    statement_generator_prompt: ClaimsPrompt = EXTRACT_CLAIMS
    attribution_prompt: SupportPrompt = SUPPORT

    async def measure(
        self, user_input: str, retrieved_contexts: Sequence[str], reference: str, *, judge: Judge
    ) -> MetricResult:
        """Extract the claims of the reference and look for each in the contexts."""
        source = Source("reference", need_text(reference, "no_claims", "reference"))
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        prompts = (self.statement_generator_prompt, self.attribution_prompt)
        return await share_supported(judge, prompts, source, user_input, retrieved_contexts)

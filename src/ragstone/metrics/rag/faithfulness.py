"""Faithfulness: is the response supported by what was retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._claims import ClaimsPrompt, Source, SupportPrompt, share_supported
from ragstone.metrics._texts import has_context, no_context
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["Faithfulness"]


@dataclass(frozen=True, kw_only=True)
class Faithfulness(Metric):
    """Share of the response's claims that the retrieved contexts support, 0 to 1, higher is better.

    Unscored: no or only blank contexts (0 with `strict`); a response that is empty, refuses, or
    claims nothing. Calls: 2. Source: Es et al. 2023 (RAGAS), section 3.
    """

    name: str = "faithfulness"
    strict: bool = False
    statement_generator_prompt: ClaimsPrompt = EXTRACT_CLAIMS
    nli_statement_prompt: SupportPrompt = SUPPORT

    async def measure(
        self, user_input: str, response: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Extract the claims of the response and check each against the contexts."""
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        source = Source("response", response)
        prompts = (self.statement_generator_prompt, self.nli_statement_prompt)
        return await share_supported(judge, prompts, source, user_input, retrieved_contexts)

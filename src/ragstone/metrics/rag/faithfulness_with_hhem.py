"""Faithfulness by a groundedness model: an LLM splits the claims, a small model checks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ragstone.metrics._claims import ClaimsPrompt, Source, SupportPrompt, check, extract
from ragstone.metrics._texts import has_context, no_context
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = ["FaithfulnessWithHHEM"]


@dataclass(frozen=True, kw_only=True)
class FaithfulnessWithHHEM(Metric):
    """Share of the response's claims that a small model finds supported, 0 to 1, higher is better.

    The judge extracts the claims; `groundedness`, by default the local judge, checks them. Any
    judge that answers claims/support can stand there, so that the check costs no call of an LLM.
    Unscored: no or only blank contexts (0 with `strict`); a response that is empty, refuses, or
    claims nothing. Calls: 1, and one of the groundedness model. Source: Ragas documentation,
    faithfulness with HHEM-2.1-Open.
    """

    name: str = "faithfulness_with_hhem"
    strict: bool = False
    statement_generator_prompt: ClaimsPrompt = EXTRACT_CLAIMS
    nli_statement_prompt: SupportPrompt = SUPPORT
    groundedness: Judge | None = field(default=None, repr=False, compare=False)

    def tools_from(self, tools: Toolbox) -> Toolbox:
        """The given tools with this metric's own in their place."""
        own = self.groundedness or tools.groundedness
        return replace(super().tools_from(tools), groundedness=own)

    async def measure(
        self,
        user_input: str,
        response: str,
        retrieved_contexts: Sequence[str],
        *,
        judge: Judge,
        groundedness: Judge,
    ) -> MetricResult:
        """Extract the claims of the response and check each against the contexts."""
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        source, where = Source("response", response), "retrieved_contexts"
        prompt = self.statement_generator_prompt
        claims = await extract(judge, prompt, source, question=user_input)
        nli = self.nli_statement_prompt
        checked = await check(
            groundedness, nli, claims, of=source, against=where, texts=retrieved_contexts
        )
        value = checked.supported / checked.total
        return MetricResult(value, reason=checked.summary(), evidence=checked.evidence)

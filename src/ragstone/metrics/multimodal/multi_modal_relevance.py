"""Multimodal relevance: does the response answer in line with texts and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._texts import need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.multimodal._contexts import judged, seen_contexts
from ragstone.prompt.multimodal import SEEN_RELEVANT, SeenRelevance, SeenRelevantIn
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["MultiModalRelevance"]


@dataclass(frozen=True, kw_only=True)
class MultiModalRelevance(Metric):
    """1.0 when the response answers the question in line with texts and pictures, else 0.0.

    So higher is better. A context is a text or picture: bytes, a data URI, a file below a folder of
    `allow_paths`, or an address of a host in `allow_hosts`, at most 10 MB each; nothing else is
    opened or fetched, and private addresses never are. The judge must be a model that sees; the
    local judge is not (needs_llm). Unscored: no or only blank contexts (0 with `strict`), a blank
    response (refusal), a blank question (no_question), a picture that is not allowed
    (image_not_allowed) or none (bad_image). Calls: 1. Source: Ragas documentation.
    """

    name: str = "multi_modal_relevance"
    strict: bool = False
    allow_paths: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    relevance_prompt: Prompt[SeenRelevantIn, SeenRelevance] = SEEN_RELEVANT

    silent = frozenset({"allow_paths", "allow_hosts"})

    async def measure(
        self,
        user_input: str,
        response: str,
        retrieved_contexts: Sequence[str | bytes],
        *,
        judge: Judge,
    ) -> MetricResult:
        """Ask whether the response answers in line with the contexts."""
        need_text(response, "refusal", "response")
        need_text(user_input, "no_question", "question")
        contexts = await seen_contexts(retrieved_contexts, self.allow_paths, self.allow_hosts)
        if not contexts:
            return no_context(self.strict)
        data = SeenRelevantIn(question=user_input, response=response, contexts=contexts)
        found = await judge.ask(self.relevance_prompt, data)
        good = found.verdict == "relevant"
        return judged(good, found.verdict, found.reason, response, contexts)

"""Multimodal faithfulness: do texts and pictures support the response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._texts import need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.multimodal._contexts import judged, seen_contexts
from ragstone.prompt.multimodal import SEEN_FAITHFUL, SeenFaithfulIn, SeenFaithfulness
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["MultiModalFaithfulness"]


@dataclass(frozen=True, kw_only=True)
class MultiModalFaithfulness(Metric):
    """1.0 when texts and pictures support all that the response states, else 0.0.

    So higher is better. A context is a text or picture: bytes, a data URI, a file below a folder of
    `allow_paths`, or an address of a host in `allow_hosts`, at most 10 MB each; nothing else is
    opened or fetched, and private addresses never are. The judge must be a model that sees; the
    local judge is not (needs_llm). Unscored: no or only blank contexts (0 with `strict`), a blank
    response (refusal), a picture that is not allowed (image_not_allowed) or none (bad_image).
    Calls: 1. Source: Ragas documentation.
    """

    name: str = "multi_modal_faithfulness"
    strict: bool = False
    allow_paths: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    faithfulness_prompt: Prompt[SeenFaithfulIn, SeenFaithfulness] = SEEN_FAITHFUL

    silent = frozenset({"allow_paths", "allow_hosts"})

    async def measure(
        self, response: str, retrieved_contexts: Sequence[str | bytes], *, judge: Judge
    ) -> MetricResult:
        """Ask whether the contexts support the response."""
        need_text(response, "refusal", "response")
        contexts = await seen_contexts(retrieved_contexts, self.allow_paths, self.allow_hosts)
        if not contexts:
            return no_context(self.strict)
        data = SeenFaithfulIn(response=response, contexts=contexts)
        found = await judge.ask(self.faithfulness_prompt, data)
        good = found.verdict == "faithful"
        return judged(good, found.verdict, found.reason, response, contexts)

"""Quoted spans alignment: do the contexts hold what the response puts in quotation marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._texts import has_context, need_text, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._quotes import Folded, quotations
from ragstone.schema.results import Evidence, MetricResult, Span

__all__ = ["QuotedSpansAlignment"]


@dataclass(frozen=True, kw_only=True)
class QuotedSpansAlignment(Metric):
    """Share of the response's quotations that a context holds, 0 to 1, higher is better.

    A quotation stands between a pair of marks ("", “”, „“, «», »«, 「」, 『』) and has at least
    `min_span_words` words; in scripts without spaces each character counts as a word. White space,
    Unicode form, punctuation at its ends and, with `casefold`, case do not matter. Unscored: no or
    only blank contexts (0 with `strict`); a blank response (refusal); one that quotes nothing
    (not_applicable). Source: Ragas documentation, quoted spans.
    """

    name: str = "quoted_spans_alignment"
    casefold: bool = True
    min_span_words: int = 3
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_span_words < 1:
            raise UsageError(f"min_span_words must be 1 or more, not {self.min_span_words!r}")

    def measure(self, response: str, retrieved_contexts: Sequence[str]) -> MetricResult:
        """Look for each quotation in each context."""
        need_text(response, "refusal", "response")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        quoted = [each for each in quotations(response) if each.words >= self.min_span_words]
        if not quoted:
            least = f"{self.min_span_words} or more words"
            raise Unscored("not_applicable", f"the response quotes nothing of {least}")
        folded = [Folded(text, casefold=self.casefold) for text in retrieved_contexts]
        evidence = []
        for each in quoted:
            held = _find(each.text, folded)
            here = Span("response", each.start, each.end)
            evidence.append(
                Evidence(each.text, "present" if held else "missing", spans=(here, *held))
            )
        present = sum(piece.verdict == "present" for piece in evidence)
        reason = f"{present} of {len(quoted)} quotations stand in the contexts"
        return MetricResult(present / len(quoted), reason=reason, evidence=tuple(evidence))


def _find(quotation: str, contexts: Sequence[Folded]) -> tuple[Span, ...]:
    """The first place that holds it."""
    for index, context in enumerate(contexts):
        if place := context.find(quotation):
            return (Span("retrieved_contexts", *place, index),)
    return ()

"""Citation accuracy: does each [n] in the response point at a context that supports it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._claims import SupportPrompt
from ragstone.metrics._spans import find_quote
from ragstone.metrics._texts import blank, has_context, need_text, no_context
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.metrics.rag._citations import Cited, cited_statements
from ragstone.prompt.claims import SUPPORT, SupportVerdict
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["CitationAccuracy"]

_Verdicts = Mapping[tuple[str, tuple[int, ...]], SupportVerdict]


@dataclass(frozen=True, kw_only=True)
class CitationAccuracy(Metric):
    """Share of the response's citations that hold, 0 to 1, higher is better.

    A citation is a number in brackets: [1], [1, 3], [2-4], 【1】. It holds when the context of that
    number, counted from 1, supports the statement it stands at; when none of several citations at
    one statement does so alone, all hold if their contexts together do. A number without a context
    (missing) does not hold. Statements without a citation are told as evidence and do not count.
    Unscored: no or only blank contexts (0 with `strict`), a blank response (refusal), one without
    citations (not_applicable). Calls: one for each context cited, and one for each set of contexts
    that is looked at together. Source: ours; the idea of Gao et al. 2023 (ALCE).
    """

    name: str = "citation_accuracy"
    strict: bool = False
    nli_prompt: SupportPrompt = SUPPORT

    async def measure(
        self, response: str, retrieved_contexts: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """Check each cited statement against the contexts that it cites."""
        need_text(response, "refusal", "response")
        if not has_context(retrieved_contexts):
            return no_context(self.strict)
        found = cited_statements(response)
        statements = [cited for cited in found if cited.numbers]
        if not statements:
            raise Unscored("not_applicable", "the response cites nothing: no [1] or the like")
        there = {n for n, text in enumerate(retrieved_contexts, start=1) if not blank(text)}
        alone = {(c.text, _one(n)) for c in statements for n in c.numbers if n in there}
        verdicts = await self._verdicts(judge, alone, retrieved_contexts)
        sets = {(c.text, s) for c in statements if (s := _doubtful(c, there, verdicts))}
        verdicts |= await self._verdicts(judge, sets, retrieved_contexts)
        evidence = [
            _evidence(cited, number, there, verdicts, retrieved_contexts)
            for cited in statements
            for number in cited.numbers
        ]
        uncited = [Evidence(c.text, "uncited", spans=(c.place,)) for c in found if not c.numbers]
        held = sum(piece.verdict == "supported" for piece in evidence)
        return MetricResult(
            held / len(evidence),
            reason=_in_words(evidence, held, len(uncited)),
            evidence=(*evidence, *uncited),
        )

    async def _verdicts(
        self, judge: Judge, asked: set[tuple[str, tuple[int, ...]]], contexts: Sequence[str]
    ) -> dict[tuple[str, tuple[int, ...]], SupportVerdict]:
        """The verdict on each statement against each set of contexts, one question a set."""
        by_set: dict[tuple[int, ...], list[str]] = {}
        for text, numbers in sorted(asked, key=lambda pair: (pair[1], pair[0])):
            by_set.setdefault(numbers, []).append(text)
        replies = await together(
            judge.verdicts(self.nli_prompt, texts, contexts=[contexts[n - 1] for n in numbers])
            for numbers, texts in by_set.items()
        )
        return {
            (text, numbers): verdict
            for (numbers, texts), found in zip(by_set.items(), replies, strict=True)
            for text, verdict in zip(texts, found, strict=True)
        }


def _one(number: int) -> tuple[int, ...]:
    return (number,)


def _doubtful(cited: Cited, there: set[int], verdicts: _Verdicts) -> tuple[int, ...]:
    """The contexts to look at together: several, none of which supports the statement alone."""
    numbers = tuple(sorted(n for n in cited.numbers if n in there))
    alone = any(verdicts[cited.text, (n,)].verdict == "supported" for n in numbers)
    return () if alone or len(numbers) < 2 else numbers


def _evidence(
    cited: Cited, number: int, there: set[int], verdicts: _Verdicts, contexts: Sequence[str]
) -> Evidence:
    text = f"[{number}] {cited.text}"
    if number not in there:
        reason = f"there is no context {number}" if number > len(contexts) or number < 1 else ""
        reason = reason or f"context {number} is blank"
        return Evidence(text, "missing", reason, cited.marks)
    verdict = verdicts[cited.text, (number,)]
    both = verdicts.get((cited.text, _doubtful(cited, there, verdicts)))
    if both is not None and both.verdict == "supported":
        verdict = both
    cited_alone = [text if n in cited.numbers else "" for n, text in enumerate(contexts, start=1)]
    quoted = find_quote(verdict.quote, "retrieved_contexts", cited_alone)
    return Evidence(text, verdict.verdict, verdict.reason, (*cited.marks, *quoted))


def _in_words(evidence: Sequence[Evidence], held: int, uncited: int) -> str:
    counts = Counter(piece.verdict for piece in evidence)
    parts = [f"{held} of {len(evidence)} citations hold"]
    labels = ("contradicted", "not_mentioned", "missing")
    parts += [f"{counts[v]} {v.replace('_', ' ')}" for v in labels if counts[v]]
    parts += [f"{uncited} statements without a citation"] if uncited else []
    return ", ".join(parts)

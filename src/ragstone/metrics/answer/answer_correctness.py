"""Answer correctness: are the statements of a response those of the reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from ragstone.errors import UsageError
from ragstone.metrics._claims import ClaimsPrompt, Source, extract
from ragstone.metrics._counts import f_beta, precision, recall
from ragstone.metrics._spans import locate_claim
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.metrics.signature import Needs, read_needs
from ragstone.prompt.claims import EXTRACT_CLAIMS
from ragstone.prompt.classification import CLASSIFICATION, StatementsIn, StatementVerdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.embedder import Embedder, cosines
from ragstone.tools.judge import Judge

__all__ = ["AnswerCorrectness"]

Classification = Prompt[StatementsIn, VerdictList[StatementVerdict]]


@dataclass(frozen=True, kw_only=True)
class AnswerCorrectness(Metric):
    """Agreement with the reference in facts and in meaning, 0 to 1, higher is better.

    Statements of response and reference are sorted into true positives (both say it), false
    positives (only the response) and false negatives (only the reference). The value is the mean of
    their F-beta (`beta` above 1 favors recall) and the cosine of the two texts' embeddings (a
    negative one counts as 0), weighted by `weights`; a second weight of 0 needs no embedder. With a
    `threshold` the value is 1.0 at or above it, else 0.0. Unscored: a response that refuses or
    states nothing, a reference that states nothing. Calls: 3, and one batch of embeddings.
    Source: Ragas documentation.
    """

    name: str = "answer_correctness"
    weights: tuple[float, float] = (0.75, 0.25)
    beta: float = 1.0
    threshold: float | None = None
    statement_generator_prompt: ClaimsPrompt = EXTRACT_CLAIMS
    correctness_classifier_prompt: Classification = CLASSIFICATION

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", _two(self.weights))
        super().__post_init__()
        if not 0 < self.beta <= 1000:
            raise UsageError(f"beta must be above 0 and at most 1000, not {self.beta!r}")
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise UsageError(f"threshold must lie in 0..1, not {self.threshold!r}")

    @cached_property
    def needs(self) -> Needs:
        """What `measure` takes; no embedder when similarity has no weight."""
        found = read_needs(type(self).__name__, type(self).measure)
        if self.weights[1] > 0:
            return found
        return replace(found, tools=tuple(tool for tool in found.tools if tool != "embedder"))

    async def measure(
        self,
        user_input: str,
        response: str,
        reference: str,
        *,
        judge: Judge,
        embedder: Embedder | None = None,
    ) -> MetricResult:
        """Compare the statements of both texts, and their embeddings."""
        ours = Source("response", need_text(response, "refusal", "response"))
        theirs = Source("reference", need_text(reference, "no_claims", "reference"))
        statements = await together(
            extract(judge, self.statement_generator_prompt, source, question=user_input)
            for source in (ours, theirs)
        )
        question = None if blank(user_input) else user_input
        facts = await self._classified(judge, question, (ours, theirs), statements)
        factual = f_beta(precision(facts.tp, facts.fp), recall(facts.tp, facts.fn), self.beta)
        if embedder is None:
            return self._result(factual, facts.summary, facts.evidence)
        (cosine,) = await cosines(embedder, reference, [response])
        similar = max(0.0, cosine)
        first, second = self.weights
        value = (first * factual + second * similar) / (first + second)
        reason = f"{facts.summary}; F {factual:.3g}, similarity {similar:.4f}"
        return self._result(value, reason, facts.evidence)

    async def _classified(
        self,
        judge: Judge,
        question: str | None,
        sources: tuple[Source, Source],
        statements: Sequence[Sequence[str]],
    ) -> _Facts:
        answer, reference = (list(found) for found in statements)
        verdicts = await judge.verdicts(
            self.correctness_classifier_prompt,
            answer + reference,
            question=question,
            answer=answer,
            reference=reference,
        )
        return _Facts.of(sources, (answer, reference), verdicts)

    def _result(self, value: float, reason: str, evidence: tuple[Evidence, ...]) -> MetricResult:
        if self.threshold is None:
            return MetricResult(value, reason=reason, evidence=evidence)
        told = f"{value:.4f}, threshold {self.threshold:g}: {reason}"
        return MetricResult(float(value >= self.threshold), reason=told, evidence=evidence)


@dataclass(frozen=True, slots=True)
class _Facts:
    """How many statements are of each kind, and each with its verdict."""

    tp: int
    fp: int
    fn: int
    evidence: tuple[Evidence, ...]

    @classmethod
    def of(
        cls,
        sources: tuple[Source, Source],
        statements: tuple[Sequence[str], Sequence[str]],
        verdicts: Sequence[StatementVerdict],
    ) -> _Facts:
        """Count the verdicts, which come in the order of the answer's and the reference's."""
        ours, theirs = verdicts[: len(statements[0])], verdicts[len(statements[0]) :]
        tp = sum(verdict.verdict == "shared" for verdict in ours)
        fn = sum(verdict.verdict == "one_sided" for verdict in theirs)
        evidence = [
            *_shown(sources[0], statements[0], ours, {"shared": "TP", "one_sided": "FP"}),
            *_shown(sources[1], statements[1], theirs, {"shared": "matched", "one_sided": "FN"}),
        ]
        return cls(tp, len(ours) - tp, fn, tuple(evidence))

    @property
    def summary(self) -> str:
        """The counts in words."""
        return f"TP {self.tp}, FP {self.fp}, FN {self.fn}"


def _shown(
    source: Source,
    statements: Sequence[str],
    verdicts: Sequence[StatementVerdict],
    labels: Mapping[str, str],
) -> Iterator[Evidence]:
    for statement, verdict in zip(statements, verdicts, strict=True):
        spans = locate_claim(statement, source.field, source.text)
        label = labels[verdict.verdict]
        yield Evidence(text=statement, verdict=label, reason=verdict.reason, spans=spans)


def _two(weights: Sequence[float]) -> tuple[float, float]:
    """The weights, if they are two, none negative or endless, and not both 0."""
    if len(weights) != 2 or not all(0 <= w < inf for w in weights) or not any(weights):
        raise UsageError(f"weights must be two numbers of 0 or more, not both 0, not {weights!r}")
    return float(weights[0]), float(weights[1])

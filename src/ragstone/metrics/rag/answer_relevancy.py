"""Answer relevancy: does the response answer the question that was asked."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.questions import (
    ANSWERED_QUESTIONS,
    AnsweredQuestion,
    AnsweredQuestions,
    AnsweredQuestionsIn,
)
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.embedder import Embedder, cosines
from ragstone.tools.judge import Judge

__all__ = ["AnswerRelevancy"]


@dataclass(frozen=True, kw_only=True)
class AnswerRelevancy(Metric):
    """Likeness of the question to questions that the response answers, 0 to 1, higher is better.

    Mean cosine; a negative mean counts as 0. `strictness` different questions are written in one
    call. When most of them find the response noncommittal, or the response is blank, the value is
    0. Whether the response is true is not judged. With the local judge the response's own
    statements stand in for the questions. Unscored: a blank question. Calls: 1, and one batch of
    embeddings. Source: Es et al. 2023 (RAGAS), section 3.
    """

    name: str = "answer_relevancy"
    strictness: int = 3
    prompt: Prompt[AnsweredQuestionsIn, AnsweredQuestions] = ANSWERED_QUESTIONS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strictness < 1:
            raise UsageError(f"strictness must be 1 or more, not {self.strictness!r}")

    async def measure(
        self, user_input: str, response: str, *, judge: Judge, embedder: Embedder
    ) -> MetricResult:
        """Ask what the response answers and compare that with the question."""
        need_text(user_input, "no_question", "user_input")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        data = AnsweredQuestionsIn(response=response, count=self.strictness)
        reply = await judge.ask(self.prompt, data)
        distinct = {q.question.strip(): q for q in reply.questions if not blank(q.question)}
        questions = list(distinct.values())[: self.strictness]
        if not questions:
            raise Unscored("no_claims", "the judge found no question that the response answers")
        values = await cosines(embedder, user_input, [q.question for q in questions])
        return _combine(questions, values, self.strictness)


def _combine(questions: list[AnsweredQuestion], values: list[float], wanted: int) -> MetricResult:
    evidence = tuple(
        Evidence(text=q.question, verdict=q.stance, reason=q.kind, weight=value)
        for q, value in zip(questions, values, strict=True)
    )
    evasive = sum(q.stance == "noncommittal" for q in questions)
    if evasive * 2 > len(questions):
        reason = f"noncommittal by {evasive} of {len(questions)}"
        return MetricResult(0.0, reason=reason, evidence=evidence)
    of = f" of {wanted} wanted" if len(values) < wanted else ""
    kind = questions[0].kind + ("" if len(values) == 1 else "s")
    reason = f"mean similarity of {len(values)} {kind}{of} that the response answers"
    return MetricResult(max(0.0, sum(values) / len(values)), reason=reason, evidence=evidence)

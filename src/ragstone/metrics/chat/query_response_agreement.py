"""Query-response agreement: is the question like those that the response answers."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.base import Metric
from ragstone.metrics.chat._spread import Spread
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.questions import WRITE_QUESTIONS, Questions, QuestionsIn
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.embedder import Embedder, cosines
from ragstone.tools.judge import Judge

__all__ = ["QueryResponseAgreement"]


@dataclass(frozen=True, kw_only=True)
class QueryResponseAgreement(Metric):
    """Likeness of the question to questions written from the response, 0 to 1, higher is better.

    Mean cosine of the embeddings; a negative cosine counts as 0. `count` different questions are
    asked for. A language model writes them; the local judge makes them by rules from spaCy's parse
    of English sentences, and the reason says so. The evidence holds each question with its cosine,
    and std, min and max. A response that is blank or refuses answers nothing: 0. Unscored: a blank
    question; a response from which no question can be written. Calls: 1, and one batch of
    embeddings. Source: Yurts, chat metrics, query-response agreement.
    """

    name: str = "query_response_agreement"
    count: int = 3
    prompt: Prompt[QuestionsIn, Questions] = WRITE_QUESTIONS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.count < 1:
            raise UsageError(f"count must be 1 or more, not {self.count!r}")

    async def measure(
        self, user_input: str, response: str, *, judge: Judge, embedder: Embedder
    ) -> MetricResult:
        """Write questions that the response answers and compare them with the one asked."""
        need_text(user_input, "no_question", "user_input")
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        reply = await judge.ask(self.prompt, QuestionsIn(text=response, count=self.count))
        written = dict.fromkeys(text.strip() for text in reply.questions if not blank(text))
        questions = list(written)[: self.count]
        if not questions and reply.refuses:
            return MetricResult(0.0, reason="the response refuses")
        if not questions:
            raise Unscored("no_claims", f"{_WRITERS[reply.by]} found nothing to ask about")
        found = await cosines(embedder, user_input, questions)
        values = [max(0.0, cosine) for cosine in found]
        evidence = tuple(
            Evidence(question, "question", reason=f"by {_WRITERS[reply.by]}", weight=value)
            for question, value in zip(questions, values, strict=True)
        )
        spread = Spread.of(values)
        said = f"mean similarity to {len(values)} of {self.count} questions"
        reason = f"{said}, written by {_WRITERS[reply.by]}; {spread.words()}"
        return MetricResult(spread.mean, reason=reason, evidence=evidence + spread.evidence())


_WRITERS = {"language model": "a language model", "rules": "a rule-based generator"}

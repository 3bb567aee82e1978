"""The local judge: answers the prompts that small models can answer honestly, without any LLM."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.errors import Unscored
from ragstone.local import usefulness
from ragstone.local.encoder import NAME, Encoder, encoder, model_hashes
from ragstone.local.match import Evidence
from ragstone.local.salience import most_telling
from ragstone.local.statements import read
from ragstone.local.support import Entailment, FeatureEntailment
from ragstone.local.verdict import verdict
from ragstone.local.worker import in_worker
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, Claims, ClaimsIn, SupportIn
from ragstone.prompt.claims import SupportVerdict as Verdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.questions import (
    ANSWERED_QUESTIONS,
    AnsweredQuestion,
    AnsweredQuestions,
    AnsweredQuestionsIn,
)
from ragstone.prompt.retrieval import USEFULNESS, Usefulness, UsefulnessIn
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record

__all__ = ["LocalJudge"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


class LocalJudge(Judge):
    """Judges by sentence splitting, embeddings, words, numbers and names; made for English text.

    It answers claims/extract, claims/support, retrieval/usefulness and answer/questions, always in
    the same way for the same input; the instruction and examples of a prompt are not read. Any
    other prompt is Unscored("needs_llm"). How good it is: docs/design/local-judge.md.
    Raises MissingExtra when the extra `local` is not installed.
    """

    def __init__(self) -> None:
        self._entailment: Entailment = FeatureEntailment()
        self._handlers: Mapping[str, Callable[[Any, Encoder], BaseModel]] = {
            EXTRACT_CLAIMS.id: _claims,
            SUPPORT.id: self._support,
            USEFULNESS.id: _usefulness,
            ANSWERED_QUESTIONS.id: _questions,
        }

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer one prompt; every `sample` of a question gets the same answer."""
        handler = self._handlers.get(prompt.id)
        if handler is None:
            raise Unscored("needs_llm", f"the local judge cannot answer {prompt.id!r}")
        start = time.perf_counter()
        found = await in_worker(lambda: handler(data, encoder()))
        output = found.model_dump(mode="json")
        seconds = time.perf_counter() - start
        record(Call(prompt.id, self.describe().name, prompt.dump(data), output, seconds=seconds))
        return prompt.output.model_validate(output)

    def describe(self) -> JudgeInfo:
        """The models with their hashes, and the versions and thresholds of the coefficients."""
        useful = usefulness.model()
        settings = {
            "embedder": NAME,
            "sha256": dict(model_hashes()),
            "support": {
                "version": self._entailment.version,
                "threshold": self._entailment.threshold,
            },
            "usefulness": {"version": useful.version, "threshold": useful.threshold},
        }
        return JudgeInfo(kind="local", name="local", settings=settings)

    def _support(self, data: SupportIn, model: Encoder) -> VerdictList[Verdict]:
        evidence = Evidence(data.contexts, model)
        matches = [evidence.match(item.text) for item in data.items]
        usable = [match for match in matches if match is not None]
        answers = iter(self._entailment.probabilities(usable))
        threshold = self._entailment.threshold
        return VerdictList[Verdict](
            verdicts=[
                verdict(item.id, match, None if match is None else next(answers), threshold)
                for item, match in zip(data.items, matches, strict=True)
            ]
        )


def _claims(data: ClaimsIn, model: Encoder) -> Claims:
    """The statements of the text; with low coverage the half that says most."""
    found = read(data.text, atomic=data.atomicity == "high")
    claims = list(found.texts)
    if data.coverage == "low":
        kept = set(most_telling(claims, data.text, (len(claims) + 1) // 2, model))
        claims = [claim for claim in claims if claim in kept]
    return Claims(refuses=found.refuses, claims=claims)


def _usefulness(data: UsefulnessIn, model: Encoder) -> Usefulness:
    found = usefulness.useful(data.question, data.answer, data.context, model)
    share = f"{round(100 * found.probability)} %"
    if not found.closest:
        return Usefulness(verdict="not_useful", reason="the context holds no words")
    if found.probability >= usefulness.model().threshold:
        return Usefulness(verdict="useful", reason=f"{share} likely to help: {found.closest}")
    return Usefulness(
        verdict="not_useful", reason=f"{share} likely to help; closest is: {found.closest}"
    )


def _questions(data: AnsweredQuestionsIn, model: Encoder) -> AnsweredQuestions:
    """The response's own statements in the place of questions, those first that say most.

    A response without a statement stands for itself, as one noncommittal entry.
    """
    found = read(data.response, atomic=False)
    stance = "noncommittal" if found.refuses or not found.texts else "committal"
    statements = most_telling(found.texts, data.response, data.count, model)
    return AnsweredQuestions(
        questions=[
            AnsweredQuestion(question=statement, stance=stance, kind="statement")
            for statement in statements or [data.response]
        ]
    )

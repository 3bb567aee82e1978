"""The local judge: answers the prompts that small models can answer honestly, without any LLM."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.errors import Unscored
from ragstone.local import equivalence, usefulness
from ragstone.local.crossencoder import pair_model_hashes
from ragstone.local.encoder import NAME, Encoder, encoder, model_hashes
from ragstone.local.handlers.claims import extract_claims
from ragstone.local.handlers.classification import classify_statements
from ragstone.local.handlers.duplication import find_duplication
from ragstone.local.handlers.entities import extract_entities, support_entities
from ragstone.local.handlers.equivalence import judge_equivalence
from ragstone.local.handlers.groundedness import rate_groundedness
from ragstone.local.handlers.injection import find_injections
from ragstone.local.handlers.questions import answered_questions
from ragstone.local.handlers.refusing import judge_refusal
from ragstone.local.handlers.relevance import judge_relevance
from ragstone.local.handlers.similarity import grade_similarity
from ragstone.local.handlers.sources import judge_sources
from ragstone.local.handlers.support import judge_support
from ragstone.local.handlers.topics import inside_topics
from ragstone.local.handlers.usefulness import judge_usefulness
from ragstone.local.handlers.writing import write_questions
from ragstone.local.support import Entailment, TrainedEntailment
from ragstone.local.worker import in_worker
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT
from ragstone.prompt.classification import CLASSIFICATION
from ragstone.prompt.criteria import ASPECT
from ragstone.prompt.duplication import DUPLICATION
from ragstone.prompt.entities import ENTITY_SUPPORT, EXTRACT_ENTITIES
from ragstone.prompt.equivalence import EQUIVALENCE
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.questions import ANSWERED_QUESTIONS, WRITE_QUESTIONS
from ragstone.prompt.ratings import GROUNDEDNESS_1, GROUNDEDNESS_2
from ragstone.prompt.refusal import REFUSAL
from ragstone.prompt.relevance import RELEVANCE
from ragstone.prompt.retrieval import USEFULNESS
from ragstone.prompt.safety import INJECTION
from ragstone.prompt.similarity import SIMILARITY
from ragstone.prompt.sources import SOURCES
from ragstone.prompt.topics import TOPICS
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record

__all__ = ["LocalJudge"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
Handler = Callable[[Any, Encoder], BaseModel]


class LocalJudge(Judge):
    """Judges by sentence splitting, embeddings, words, numbers and names; made for English text.

    It answers the prompts that have a file in local/handlers, always in the same way for the same
    input; the instruction and examples of a prompt are not read. Any other prompt, a criterion of
    the user's own such as toxicity among them, is Unscored("needs_llm"). How good it is:
    docs/design/local-judge.md. Raises MissingExtra when the extra `local` is not installed.
    """

    def __init__(self) -> None:
        self._entailment: Entailment = TrainedEntailment()
        self._handlers: Mapping[str, Handler] = {
            EXTRACT_CLAIMS.id: extract_claims,
            SUPPORT.id: partial(judge_support, self._entailment),
            USEFULNESS.id: judge_usefulness,
            ANSWERED_QUESTIONS.id: answered_questions,
            EQUIVALENCE.id: judge_equivalence,
            SIMILARITY.id: grade_similarity,
            CLASSIFICATION.id: partial(classify_statements, self._entailment),
            TOPICS.id: inside_topics,
            DUPLICATION.id: find_duplication,
            RELEVANCE.id: judge_relevance,
            WRITE_QUESTIONS.id: write_questions,
            EXTRACT_ENTITIES.id: extract_entities,
            ENTITY_SUPPORT.id: support_entities,
            REFUSAL.id: judge_refusal,
            INJECTION.id: find_injections,
            SOURCES.id: partial(judge_sources, self._entailment),
            GROUNDEDNESS_1.id: partial(rate_groundedness, self._entailment),
            GROUNDEDNESS_2.id: partial(rate_groundedness, self._entailment),
        }

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer one prompt; every `sample` of a question gets the same answer."""
        handler = self._handlers.get(prompt.id)
        if handler is None:
            raise Unscored("needs_llm", _cannot(prompt.id))
        start = time.perf_counter()
        found = await in_worker(lambda: handler(data, encoder()))
        output = found.model_dump(mode="json")
        seconds = time.perf_counter() - start
        record(Call(prompt.id, self.describe().name, prompt.dump(data), output, seconds=seconds))
        return prompt.output.model_validate(output)

    def describe(self) -> JudgeInfo:
        """The models with their hashes, and the versions and thresholds of the coefficients."""
        useful, equivalent = usefulness.model(), equivalence.model()
        settings = {
            "embedder": NAME,
            "sha256": dict(model_hashes()),
            "support": {
                "sha256": pair_model_hashes("groundedness"),
                "version": self._entailment.version,
                "threshold": self._entailment.threshold,
            },
            "usefulness": {
                "sha256": pair_model_hashes("relevance"),
                "version": useful.version,
                "threshold": useful.threshold,
            },
            "equivalence": {"version": equivalent.version, "threshold": equivalent.threshold},
        }
        return JudgeInfo(kind="local", name="local", settings=settings)


def _cannot(prompt: str) -> str:
    """Why a prompt is not answered, and what answers it."""
    said = f"the local judge cannot answer {prompt!r}"
    if prompt != ASPECT.id:
        return said
    return (
        f"{said}: no small model with a free licence judges a criterion such as toxicity well; "
        "give llm=..., a language model"
    )

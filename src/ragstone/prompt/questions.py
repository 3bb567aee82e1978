"""Questions that a text answers, to see whether it answers the one that was asked."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from ragstone.prompt.prompt import Prompt

__all__ = [
    "ANSWERED_QUESTIONS",
    "WRITE_QUESTIONS",
    "AnsweredQuestion",
    "AnsweredQuestions",
    "AnsweredQuestionsIn",
    "Questions",
    "QuestionsIn",
]


class AnsweredQuestionsIn(BaseModel):
    """A response, and how many different questions to write."""

    model_config = ConfigDict(frozen=True)

    response: str
    count: int = Field(ge=1)


class AnsweredQuestion(BaseModel):
    """One thing that the response answers.

    `kind` is "statement" when a judge without a language model puts the response's own statement
    in the place of a question. `stance` is noncommittal when the response, read as an answer to
    this question, evades or does not know.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    stance: Literal["committal", "noncommittal"]
    kind: Literal["question", "statement"] = "question"


class AnsweredQuestions(BaseModel):
    """The questions, all different."""

    model_config = ConfigDict(frozen=True)

    questions: list[AnsweredQuestion]


ANSWERED_QUESTIONS = Prompt("answer/questions", AnsweredQuestionsIn, AnsweredQuestions)


class QuestionsIn(BaseModel):
    """A text, and how many different questions to write about it."""

    model_config = ConfigDict(frozen=True)

    text: str
    count: int = Field(ge=1)


class Questions(BaseModel):
    """Questions that the text alone answers; none when it states nothing.

    `refuses` is True when the text declines to answer. `by` says who wrote the questions: a
    language model, or rules over a parse.
    """

    model_config = ConfigDict(frozen=True)

    refuses: bool = Field(description="true when the text declines or cannot answer")
    questions: list[str]
    by: SkipJsonSchema[Literal["language model", "rules"]] = "language model"


WRITE_QUESTIONS = Prompt("questions/write", QuestionsIn, Questions)

"""answer/questions: what a response answers, in its own words."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.salience import most_telling
from ragstone.local.statements import read
from ragstone.prompt.questions import AnsweredQuestion, AnsweredQuestions, AnsweredQuestionsIn

__all__ = ["answered_questions"]


def answered_questions(data: AnsweredQuestionsIn, model: Encoder) -> AnsweredQuestions:
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

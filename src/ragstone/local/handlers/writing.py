"""questions/write: questions that a text answers, by rules."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.questions import questions
from ragstone.local.statements import read
from ragstone.prompt.questions import Questions, QuestionsIn

__all__ = ["write_questions"]


def write_questions(data: QuestionsIn, _model: Encoder) -> Questions:
    """Questions from the statements of an English text; none of any other."""
    found = read(data.text, atomic=False)
    written = [] if found.refuses else questions(data.text, found.texts, data.count)
    return Questions(refuses=found.refuses, questions=written, by="rules")

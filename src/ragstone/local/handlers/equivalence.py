"""answer/equivalence: does a response give the reference answer."""

from __future__ import annotations

from ragstone.errors import Unscored
from ragstone.local.answermatch import Answers
from ragstone.local.answerwords import answer_words
from ragstone.local.encoder import Encoder
from ragstone.local.equivalence import model as coefficients
from ragstone.local.equivalence import probability
from ragstone.local.verdict import NO_WORDS
from ragstone.prompt.equivalence import Equivalence, EquivalenceIn

__all__ = ["judge_equivalence"]

_SHOWN = 160  # characters of a reference that a reason shows


def judge_equivalence(data: EquivalenceIn, model: Encoder) -> Equivalence:
    """Equivalent from the stored threshold on.

    Raises Unscored("no_reference") when no reference holds a word.
    """
    if not any(answer_words(reference) for reference in data.references):
        raise Unscored("no_reference", "no reference holds a word to compare with")
    if not answer_words(data.response):
        return Equivalence(verdict="different", reason=NO_WORDS, probability=0.0)
    answers = Answers(data.question, data.references, data.response, model)
    likely = probability(answers)
    same = likely >= coefficients().threshold
    return Equivalence(
        verdict="equivalent" if same else "different",
        reason=_reason(answers, same),
        probability=likely,
    )


def _reason(answers: Answers, same: bool) -> str:
    if answers.refuses and not same:
        return "the response declines to answer"
    best = answers.best
    named = repr(best.text if len(best.text) <= _SHOWN else f"{best.text[:_SHOWN]}…")
    if best.excluded:
        return f"the response names {named}, but not as its answer"
    if answers.other_number:
        return f"the response has another number than {named}"
    if best.place >= 0:
        return f"the response has the answer {named}"
    share = f"{round(100 * best.spelled)} % of the words of {named}, by weight"
    return f"the response has {share}, the reference that comes closest"

"""answer/similarity: how well a response matches a reference, in six grades."""

from __future__ import annotations

from ragstone.local.answerwords import answer_words, holds
from ragstone.local.difference import difference
from ragstone.local.encoder import Encoder
from ragstone.local.nearness import nearness
from ragstone.local.refusal import refuses
from ragstone.local.verdict import NO_WORDS
from ragstone.prompt.similarity import Similarity, SimilarityIn
from ragstone.tools.sentences import sentences

__all__ = ["grade_similarity"]

_GRADES = ("0", "1", "2", "3", "4", "5")
_STEPS = (0.25, 0.45, 0.6, 0.75, 0.9)
"""Nearness from which the next grade is reached; chosen on pairs of sentences of our own."""
_ANOTHER = 2  # the same subject, but another answer
_HELD = 4  # the reference word for word, and more


def grade_similarity(data: SimilarityIn, model: Encoder) -> Similarity:
    """By nearness; a difference in fact caps the grade, a reference held whole raises it."""
    ours, theirs = answer_words(data.response), answer_words(data.reference)
    if not ours or not theirs:
        return Similarity(grade="0", reason=NO_WORDS)
    if [word.form for word in ours] == [word.form for word in theirs]:
        return Similarity(grade="5", reason="the same words")
    if refuses([piece.text for piece in sentences(data.response)]):
        return Similarity(grade="0", reason="the response declines to answer")
    near = nearness(data.reference, data.response, model)
    reached = sum(near >= step for step in _STEPS)
    against = difference(data.reference, data.response, model)
    if against is not None:
        return Similarity(grade=_GRADES[min(reached, _ANOTHER)], reason=against)
    if holds(ours, theirs) >= 0 and reached < _HELD:
        return Similarity(grade=_GRADES[_HELD], reason="the response holds the reference, and more")
    return Similarity(grade=_GRADES[reached], reason=f"nearness {near:.2f}, no difference in fact")

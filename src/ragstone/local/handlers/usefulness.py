"""retrieval/usefulness: does a context help with an answer."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.usefulness import model as coefficients
from ragstone.local.usefulness import useful
from ragstone.prompt.retrieval import Usefulness, UsefulnessIn

__all__ = ["judge_usefulness"]


def judge_usefulness(data: UsefulnessIn, model: Encoder) -> Usefulness:
    """Useful from the stored threshold on."""
    (found,) = useful(data.question, data.answer, [data.context], model)
    if not found.closest:
        return Usefulness(
            verdict="not_useful", reason="the context holds no words", probability=0.0
        )
    share, likely = f"{round(100 * found.probability)} %", found.probability
    if likely >= coefficients().threshold:
        reason = f"{share} likely to help: {found.closest}"
        return Usefulness(verdict="useful", reason=reason, probability=likely)
    reason = f"{share} likely to help; closest is: {found.closest}"
    return Usefulness(verdict="not_useful", reason=reason, probability=likely)

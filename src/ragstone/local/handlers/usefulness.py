"""retrieval/usefulness: does a context help with an answer."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.usefulness import Usage, useful
from ragstone.local.usefulness import model as coefficients
from ragstone.prompt.items import VerdictList
from ragstone.prompt.retrieval import Usefulness, UsefulnessIn

__all__ = ["judge_usefulness"]


def judge_usefulness(data: UsefulnessIn, model: Encoder) -> VerdictList[Usefulness]:
    """Useful from the stored threshold on; each context for itself."""
    found = useful(data.question, data.answer, [item.text for item in data.items], model)
    return VerdictList[Usefulness](
        verdicts=[_verdict(item.id, one) for item, one in zip(data.items, found, strict=True)]
    )


def _verdict(id: str, found: Usage) -> Usefulness:
    if not found.closest:
        reason = "the context holds no words"
        return Usefulness(id=id, verdict="not_useful", reason=reason, probability=0.0)
    share, likely = f"{round(100 * found.probability)} %", found.probability
    if likely >= coefficients().threshold:
        reason = f"{share} likely to help: {found.closest}"
        return Usefulness(id=id, verdict="useful", reason=reason, probability=likely)
    reason = f"{share} likely to help; closest is: {found.closest}"
    return Usefulness(id=id, verdict="not_useful", reason=reason, probability=likely)

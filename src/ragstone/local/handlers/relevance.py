"""retrieval/relevance: does each of several passages bear on a question."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.relevance import relevances
from ragstone.prompt.items import VerdictList
from ragstone.prompt.relevance import RelevanceIn, RelevanceVerdict

__all__ = ["judge_relevance"]


def judge_relevance(data: RelevanceIn, _model: Encoder) -> VerdictList[RelevanceVerdict]:
    """Relevant when that is more likely than not: the probabilities are calibrated."""
    likely = relevances(data.question, [item.text for item in data.items])
    return VerdictList[RelevanceVerdict](
        verdicts=[
            RelevanceVerdict(
                id=item.id,
                verdict="relevant" if probability >= 0.5 else "irrelevant",
                probability=probability,
            )
            for item, probability in zip(data.items, likely, strict=True)
        ]
    )

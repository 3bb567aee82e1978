"""claims/support: does the evidence support a statement."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.local.encoder import Encoder
from ragstone.local.match import Evidence
from ragstone.local.support import Entailment
from ragstone.local.verdict import verdict
from ragstone.prompt.claims import SupportIn, SupportVerdict
from ragstone.prompt.items import Item, VerdictList

__all__ = ["judge_support", "support_verdicts"]


def judge_support(
    entailment: Entailment, data: SupportIn, model: Encoder
) -> VerdictList[SupportVerdict]:
    """One verdict for every item."""
    return VerdictList[SupportVerdict](
        verdicts=support_verdicts(entailment, data.items, data.contexts, model)
    )


def support_verdicts(
    entailment: Entailment, items: Sequence[Item], contexts: Sequence[str], model: Encoder
) -> list[SupportVerdict]:
    """What the contexts say of each item, in order."""
    evidence = Evidence(contexts, model)
    model.vectors([*evidence.sentences, *(item.text for item in items)])  # all at once
    matches = [evidence.match(item.text) for item in items]
    answers = iter(entailment.probabilities([match for match in matches if match is not None]))
    return [
        verdict(item.id, match, None if match is None else next(answers), entailment.threshold)
        for item, match in zip(items, matches, strict=True)
    ]

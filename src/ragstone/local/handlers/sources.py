"""claims/sources: which contexts support a statement, each looked at alone."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.handlers.support import support_verdicts
from ragstone.local.support import Entailment
from ragstone.prompt.items import VerdictList
from ragstone.prompt.sources import SourcesIn, SourcesVerdict

__all__ = ["judge_sources"]


def judge_sources(
    entailment: Entailment, data: SourcesIn, model: Encoder
) -> VerdictList[SourcesVerdict]:
    """For every item the numbers of the contexts by which it is supported."""
    found: dict[str, list[int]] = {item.id: [] for item in data.items}
    for number, context in enumerate(data.contexts, start=1):
        for verdict in support_verdicts(entailment, data.items, [context], model):
            if verdict.verdict == "supported":
                found[verdict.id].append(number)
    verdicts = [SourcesVerdict(id=key, contexts=numbers) for key, numbers in found.items()]
    return VerdictList[SourcesVerdict](verdicts=verdicts)

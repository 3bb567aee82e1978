"""Verdicts from yes/no questions: the evidence is found, the question asked, the answer worded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from ragstone.local.encoder import encoder
from ragstone.local.handlers.equivalence import judge_equivalence
from ragstone.local.handlers.relevance import judge_relevance
from ragstone.local.handlers.usefulness import judge_usefulness
from ragstone.local.match import Evidence, Match
from ragstone.local.passage import GAP, passage
from ragstone.local.support import Probabilities, TrainedEntailment
from ragstone.local.verdict import verdict
from ragstone.local.worker import in_worker
from ragstone.local_llm.calibration import calibrated
from ragstone.local_llm.questions import Question, question
from ragstone.prompt.claims import SUPPORT, SupportIn, SupportVerdict
from ragstone.prompt.equivalence import EQUIVALENCE, Equivalence, EquivalenceIn
from ragstone.prompt.items import Item, VerdictList
from ragstone.prompt.relevance import RELEVANCE, RelevanceIn, RelevanceVerdict
from ragstone.prompt.retrieval import USEFULNESS, Usefulness, UsefulnessIn

__all__ = ["HANDLERS", "equivalence", "relevance", "support", "usefulness"]

Ask = Callable[[Question], Awaitable[float]]

_EVIDENCE_WORDS = 150
_PASSAGE_CHARACTERS = 2000
_REFERENCES = 8
_RESPONSE = 600  # characters


async def support(data: SupportIn, ask: Ask) -> VerdictList[SupportVerdict]:
    """One verdict for every item, from its closest windows.

    The packaged `groundedness` model reads them too, and both readings are weighed.
    """

    def match_all() -> list[tuple[Match, Probabilities] | None]:
        evidence, small = Evidence(data.contexts, encoder()), TrainedEntailment()
        found = [evidence.match(item.text) for item in data.items]
        return [None if m is None else (m, small.probabilities([m])[0]) for m in found]

    verdicts = []
    for item, found in zip(data.items, await in_worker(match_all), strict=True):
        if found is None:
            verdicts.append(await _on_the_beginning(item, data.contexts, ask))
        else:
            verdicts.append(verdict(item.id, found[0], await _chances(*found, ask), 0.5))
    return VerdictList[SupportVerdict](verdicts=verdicts)


async def _on_the_beginning(item: Item, contexts: Sequence[str], ask: Ask) -> SupportVerdict:
    """A claim without words, such as a sign, finds no windows: the contexts' first words are read.

    Of each context equally many.
    """
    share = max(1, _EVIDENCE_WORDS // max(1, len(contexts)))
    read = GAP.join(" ".join(text.split()[:share])[:_PASSAGE_CHARACTERS] for text in contexts)
    yes = calibrated("support", await ask(question("support", passage=read, claim=item.text)))
    return SupportVerdict(
        id=item.id,
        verdict="supported" if yes >= 0.5 else "not_mentioned",
        reason=f"{round(100 * yes)} % likely to be supported by the first words of the contexts",
        probability=yes,
    )


async def _chances(match: Match, small: Probabilities, ask: Ask) -> Probabilities:
    """Both readings of support in one; the small model says what the rest is."""
    asked = question("support", passage=passage(match, _EVIDENCE_WORDS), claim=match.claim)
    yes = calibrated("support", await ask(asked), small=small.supported)
    rest = small.contradicted + small.not_mentioned
    against = (1.0 - yes) * (small.contradicted / rest if rest else 0.0)
    return Probabilities(yes, against, 1.0 - yes - against)


async def usefulness(data: UsefulnessIn, _: Ask) -> VerdictList[Usefulness]:
    """By the packaged `relevance` model, which sees it far better than a small language model."""
    return await in_worker(lambda: judge_usefulness(data, encoder()))


async def relevance(data: RelevanceIn, _: Ask) -> VerdictList[RelevanceVerdict]:
    """By the packaged `relevance` model."""
    return await in_worker(lambda: judge_relevance(data, encoder()))


async def equivalence(data: EquivalenceIn, ask: Ask) -> Equivalence:
    """Equivalent from 0.5 on; of many references the language model reads the first eight.

    The packaged models read all of them, and both readings are weighed.
    """
    small = await in_worker(lambda: judge_equivalence(data, encoder()))
    if not small.probability:  # nothing was answered
        return small
    asked = question(
        "equivalence",
        question=data.question,
        references=" / ".join(data.references[:_REFERENCES]),
        response=data.response[:_RESPONSE],
    )
    yes = calibrated("equivalence", await ask(asked), small=small.probability)
    return Equivalence(
        verdict="equivalent" if yes >= 0.5 else "different",
        reason=f"{round(100 * yes)} % likely to give the answer of a reference",
        probability=yes,
    )


HANDLERS: Mapping[str, Callable[[Any, Ask], Awaitable[BaseModel]]] = {
    SUPPORT.id: support,
    USEFULNESS.id: usefulness,
    RELEVANCE.id: relevance,
    EQUIVALENCE.id: equivalence,
}
"""Id of a prompt -> who answers it with yes/no questions or with a packaged model."""

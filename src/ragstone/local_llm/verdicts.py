"""Verdicts from yes/no questions: the evidence is found, the question asked, the answer worded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from ragstone.local.encoder import encoder
from ragstone.local.features import Comparison
from ragstone.local.match import Evidence, Match
from ragstone.local.passage import GAP, passage
from ragstone.local.support import Probabilities
from ragstone.local.verdict import verdict
from ragstone.local.worker import in_worker
from ragstone.local_llm.calibration import calibrated
from ragstone.local_llm.questions import Question, question
from ragstone.prompt.claims import SUPPORT, SupportIn, SupportVerdict
from ragstone.prompt.equivalence import EQUIVALENCE, Equivalence, EquivalenceIn
from ragstone.prompt.items import Item, VerdictList
from ragstone.prompt.retrieval import USEFULNESS, Usefulness, UsefulnessIn

__all__ = ["HANDLERS", "equivalence", "support", "usefulness"]

Ask = Callable[[Question], Awaitable[float]]

_EVIDENCE_WORDS = 150
_PASSAGE_WORDS = 1000
_PASSAGE_CHARACTERS = 2000
_REFERENCES = 8
_RESPONSE = 600  # characters


async def support(data: SupportIn, ask: Ask) -> VerdictList[SupportVerdict]:
    """One verdict for every item, from its closest windows."""

    def match_all() -> list[tuple[Match | None, bool]]:
        evidence = Evidence(data.contexts, encoder())
        found = [evidence.match(item.text) for item in data.items]
        return [(m, m is not None and Comparison(m).conflicts.any) for m in found]

    verdicts = []
    for item, (match, conflict) in zip(data.items, await in_worker(match_all), strict=True):
        if match is None:
            verdicts.append(await _on_the_beginning(item, data.contexts, ask))
        else:
            verdicts.append(verdict(item.id, match, await _chances(match, conflict, ask), 0.5))
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


async def _chances(match: Match, conflict: bool, ask: Ask) -> Probabilities:
    asked = question("support", passage=passage(match, _EVIDENCE_WORDS), claim=match.claim)
    yes = calibrated("support", await ask(asked))
    return Probabilities(yes, 1.0 - yes if conflict else 0.0, 0.0 if conflict else 1.0 - yes)


async def usefulness(data: UsefulnessIn, ask: Ask) -> Usefulness:
    """Useful from 0.5 on; of a long context the closest windows are read."""
    context = data.context
    if len(context.split()) > _PASSAGE_WORDS:
        wanted = f"{data.question} {data.answer}"
        match = await in_worker(lambda: Evidence([context], encoder()).match(wanted))
        context = passage(match, _PASSAGE_WORDS) if match is not None else context
    texts = {"context": context, "question": data.question}
    if data.answer.strip():
        asked = question("usefulness", answer=data.answer, **texts)
    else:
        asked = question("usefulness", "user_without_answer", **texts)
    yes = calibrated("usefulness", await ask(asked))
    return Usefulness(
        verdict="useful" if yes >= 0.5 else "not_useful",
        reason=f"{round(100 * yes)} % likely to help",
        probability=yes,
    )


async def equivalence(data: EquivalenceIn, ask: Ask) -> Equivalence:
    """Equivalent from 0.5 on; of many references the first eight are read."""
    asked = question(
        "equivalence",
        question=data.question,
        references=" / ".join(data.references[:_REFERENCES]),
        response=data.response[:_RESPONSE],
    )
    yes = calibrated("equivalence", await ask(asked))
    return Equivalence(
        verdict="equivalent" if yes >= 0.5 else "different",
        reason=f"{round(100 * yes)} % likely to give the answer of a reference",
        probability=yes,
    )


HANDLERS: Mapping[str, Callable[[Any, Ask], Awaitable[BaseModel]]] = {
    SUPPORT.id: support,
    USEFULNESS.id: usefulness,
    EQUIVALENCE.id: equivalence,
}
"""Id of a prompt -> who answers it with yes/no questions."""

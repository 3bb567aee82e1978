"""statements/classification: which statements an answer and a reference share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragstone.local.answermatch import Answers
from ragstone.local.encoder import Encoder
from ragstone.local.equivalence import model as coefficients
from ragstone.local.equivalence import probability
from ragstone.local.fragment import MAX_WORDS, is_fragment
from ragstone.local.handlers.support import support_verdicts
from ragstone.local.support import Entailment
from ragstone.local.terms import terms
from ragstone.prompt.claims import SupportVerdict
from ragstone.prompt.classification import StatementsIn, StatementVerdict
from ragstone.prompt.items import Item, VerdictList

__all__ = ["classify_statements"]

_MOST = 0.5  # of what the statement that has most of a short answer has of it


def classify_statements(
    entailment: Entailment, data: StatementsIn, model: Encoder
) -> VerdictList[StatementVerdict]:
    """Each statement is checked against those of the other side.

    A reference that states nothing but names an answer ("David Seville") is looked for as such.
    """
    if len(data.reference) == 1 and _names_an_answer(data.reference[0]) and data.answer:
        return VerdictList[StatementVerdict](verdicts=_by_answer(data, model))
    answer, reference = set(data.answer), set(data.reference)
    both = [item for item in data.items if item.text in answer & reference]
    ours = [item for item in data.items if item.text in answer - reference]
    theirs = [item for item in data.items if item.text in reference - answer]
    same = [
        StatementVerdict(id=item.id, verdict="shared", reason="both say it word for word")
        for item in both
    ]
    checked = [
        _verdict(found)
        for items, others in ((ours, data.reference), (theirs, data.answer))
        for found in _checked(entailment, items, others, model)
    ]
    return VerdictList[StatementVerdict](verdicts=same + checked)


def _checked(
    entailment: Entailment, items: Sequence[Item], others: Sequence[str], model: Encoder
) -> Iterable[SupportVerdict]:
    """The other side's statements are one text, so that several together can say an item."""
    return support_verdicts(entailment, items, ["\n".join(others)], model) if items else ()


def _verdict(found: SupportVerdict) -> StatementVerdict:
    shared = found.verdict == "supported"
    return StatementVerdict(
        id=found.id,
        verdict="shared" if shared else "one_sided",
        reason=found.reason,
        probability=found.probability,
    )


def _names_an_answer(reference: str) -> bool:
    """Whether a text is a short answer, or several ways to write one between slashes."""
    ways = _ways(reference)
    short = all(len(terms(way)) <= MAX_WORDS for way in ways)
    return short and bool(ways) and is_fragment(ways[0])


def _ways(reference: str) -> list[str]:
    return [way for way in reference.split("/") if terms(way)]


def _by_answer(data: StatementsIn, model: Encoder) -> list[StatementVerdict]:
    """Shared when the answer as a whole gives the reference's, and a statement holds most of it."""
    question, ways = data.question or "", _ways(data.reference[0])
    likely = probability(Answers(question, ways, " ".join(data.answer), model))
    given = likely >= coefficients().threshold
    held = {text: _held(question, ways, text, model) for text in data.answer}
    least = _MOST * max(held.values())
    return [
        _about(item, given and held.get(item.text, 1.0) >= least, likely) for item in data.items
    ]


def _held(question: str, ways: Sequence[str], text: str, model: Encoder) -> float:
    return Answers(question, ways, text, model).best.spelled


def _about(item: Item, shared: bool, likely: float) -> StatementVerdict:
    reason = f"that the answer gives the reference's is {round(100 * likely)} % likely"
    return StatementVerdict(
        id=item.id, verdict="shared" if shared else "one_sided", reason=reason, probability=likely
    )

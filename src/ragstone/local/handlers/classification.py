"""statements/classification: which statements an answer and a reference share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragstone.local.encoder import Encoder
from ragstone.local.handlers.support import support_verdicts
from ragstone.local.support import Entailment
from ragstone.prompt.claims import SupportVerdict
from ragstone.prompt.classification import StatementsIn, StatementVerdict
from ragstone.prompt.items import Item, VerdictList

__all__ = ["classify_statements"]


def classify_statements(
    entailment: Entailment, data: StatementsIn, model: Encoder
) -> VerdictList[StatementVerdict]:
    """Each statement is checked against those of the other side."""
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

"""Classification: which statements an answer and a reference share."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, Probability, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = ["CLASSIFICATION", "StatementVerdict", "StatementsIn"]


class StatementsIn(ItemsIn):
    """The statements of an answer and of a reference; the items are the statements of both.

    Which side an item is from follows from the two lists, so it can be asked about alone.
    """

    question: str | None = None
    answer: list[str]
    reference: list[str]


class StatementVerdict(ItemVerdict):
    """Whether the other side says the same as a statement.

    A statement of the answer is a true positive when shared, else a false positive; one of the
    reference is a false negative when not shared.
    """

    model_config = ConfigDict(frozen=True)

    reason: str = Field(default="", description="one short sentence")
    verdict: Literal["shared", "one_sided"]
    probability: Probability = None


CLASSIFICATION = Prompt("statements/classification", StatementsIn, VerdictList[StatementVerdict])

"""Small prompts for the tests of the judge."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from ragstone.llms.calling import Retries
from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import Words


class Text(BaseModel):
    text: str


class Verdict(BaseModel):
    verdict: Literal["yes", "no"]
    reason: str = ""


class Score(BaseModel):
    score: int = Field(ge=1, le=5)


class Claims(BaseModel):
    claims: list[str]


class ItemLabel(ItemVerdict):
    verdict: Literal["supported", "unsupported"]
    reason: str = ""


class ItemsWithContexts(ItemsIn):
    contexts: list[str]


def prompt(form: type[BaseModel], instruction: str = "Judge the text.") -> Prompt:
    return Prompt(f"test/{form.__name__}", Text, form, own_words=Words("1", instruction))


VERDICT = prompt(Verdict)
ITEMS = Prompt(
    "test/items",
    ItemsWithContexts,
    VerdictList[ItemLabel],
    own_words=Words("1", "Judge each item."),
)
YES = '{"verdict": "yes", "reason": "it is"}'
FAST = Retries(base=0.01, longest=0.02, patience=5.0)

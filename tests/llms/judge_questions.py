"""Small prompts for the tests of the judge."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from ragstone.llms.calling import Retries
from ragstone.llms.factory import llm_factory
from ragstone.llms.judge import LLMJudge
from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import Words
from ragstone.testing.llm_server import LLMServer


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

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        return next((part for part in parts if part.verdict == "supported"), parts[0])


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


def judge_at(server: LLMServer, **options: Any) -> LLMJudge:
    options = {"api_key": f"sk-test-{uuid.uuid4().hex}", "timeout": 10.0} | options
    retries = options.pop("retries", FAST)
    made = llm_factory(options.pop("model", "judge-1"), base_url=server.url, **options)
    return LLMJudge(
        made.provider,
        sampling=made._sampling,
        system_prompt=options.get("system_prompt"),
        cache=options.get("cache"),
        timeout=options["timeout"],
        retries=retries,
    )

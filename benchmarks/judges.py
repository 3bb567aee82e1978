"""Judges and data for the benchmarks: replies of realistic size, in no time."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from ragstone.prompt.claims import Claims, SupportVerdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.runs import JudgeInfo
from ragstone.tools.judge import Judge

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)

CONTEXT = (
    "The write-ahead log keeps changes in a separate file until a checkpoint copies them back. "
    "Readers go on reading the database file and look into the log for newer pages. "
)
RESPONSE = "The log keeps changes apart. Readers look into it. A checkpoint copies them back."


def rows(count: int, characters: int = 2600) -> list[dict[str, object]]:
    """Rows whose contexts hold `characters` in four pieces, each row different."""
    piece = (CONTEXT * (characters // 4 // len(CONTEXT) + 1))[: characters // 4 - 8]
    return [
        {
            "user_input": f"What does the log of database {n} do?",
            "response": f"{RESPONSE} This is row {n}.",
            "retrieved_contexts": [f"{n:07d} {piece}" for _ in range(4)],
            "reference": "It keeps changes until a checkpoint.",
        }
        for n in range(count)
    ]


class InstantJudge(Judge):
    """Answers the two questions of faithfulness at once, from the data alone."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        self.asked += 1
        reply = Claims(refuses=False, claims=[]) if prompt.output is Claims else None
        if reply is not None:
            text: str = data.text  # type: ignore[attr-defined]
            claims = [part.strip() + "." for part in text.split(".") if part.strip()]
            return reply.model_copy(update={"claims": claims})  # type: ignore[return-value]
        verdicts = [
            SupportVerdict(id=item.id, reason="The context says so.", verdict="supported")
            for item in data.items  # type: ignore[attr-defined]
        ]
        return VerdictList[SupportVerdict](verdicts=verdicts)  # type: ignore[return-value]

    def describe(self) -> JudgeInfo:
        return JudgeInfo("fake", "instant")

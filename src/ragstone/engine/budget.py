"""A budget: the most that a run may take, in calls, tokens or money."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel

from ragstone.errors import BudgetExceeded, UsageError
from ragstone.prompt.prompt import Prompt
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call, Usage
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record, recording

__all__ = ["Budget", "BudgetedJudge", "Meter"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


_NUMBER = r"(\d[\d,]*(?:\.\d+)?|\.\d+)"
_MONEY = re.compile(rf"\$\s*{_NUMBER}", re.ASCII)
_COUNT = re.compile(rf"{_NUMBER}\s*([kM]?)\s*(calls?|tokens?)", re.ASCII)
_UNITS = {"": 1, "k": 1_000, "M": 1_000_000}


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The most that a run may take. What was scored when it is spent is kept.

    `calls` to providers are not exceeded, but for the second try that an answer in flight may need.
    `tokens` (input and output) and `money` (US dollars) are checked before each call, so the calls
    that are then in flight can go over. Calls that the cache answers are free.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """A budget from words: "$5", "1000 calls" or "2M tokens". Raises UsageError."""
        if money := _MONEY.fullmatch(text.strip()):
            return cls(money=_number(money[1]))
        if count := _COUNT.fullmatch(text.strip()):
            amount = round(_number(count[1]) * _UNITS[count[2]])
            return cls(calls=amount) if count[3].startswith("call") else cls(tokens=amount)
        hint = " (put it in single quotes: a shell reads $5 as a variable)" if not text else ""
        raise UsageError(
            f"the budget {text!r} cannot be read{hint}; write '$5', '1000 calls' or '2M tokens'"
        )

    @classmethod
    def of(cls, given: object) -> Budget | None:
        """The budget that a caller gave: one, words for one, or None. Raises UsageError."""
        if given is None or isinstance(given, Budget):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        raise UsageError(f"budget= takes a Budget or words such as '$5', not {given!r}")

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "money"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise UsageError(f"a budget of {name} must be above 0, not {value!r}")


@dataclass
class Meter:
    """What a run has taken so far, held against its budget."""

    budget: Budget
    spent: Usage = field(default_factory=Usage)
    in_flight: int = 0
    _settled: asyncio.Event = field(default_factory=asyncio.Event)

    async def reserve(self) -> None:
        """Take room for one more call, or raise BudgetExceeded.

        When the calls in flight fill the budget this waits: one that the cache answers is free.
        """
        self._refuse_when_spent()
        while self.budget.calls is not None and self._started >= self.budget.calls:
            await self._settled.wait()
            self._refuse_when_spent()
        self.in_flight += 1

    @property
    def _started(self) -> int:
        return self.spent.calls + self.in_flight

    def _refuse_when_spent(self) -> None:
        budget, spent = self.budget, self.spent
        if budget.calls is not None and spent.calls >= budget.calls:
            raise BudgetExceeded(f"the budget of {budget.calls} calls is spent")
        tokens = spent.input_tokens + spent.output_tokens
        if budget.tokens is not None and tokens >= budget.tokens:
            raise BudgetExceeded(f"the budget of {budget.tokens} tokens is spent ({tokens} used)")
        if budget.money is not None:
            if spent.cost is None:
                raise BudgetExceeded("the price of the model is unknown: a budget in money fails")
            if spent.cost >= budget.money:
                raise BudgetExceeded(f"the budget of ${budget.money:g} is spent")

    def settle(self, usage: Usage) -> None:
        """Give the room back and add what the call took."""
        self.in_flight -= 1
        self.spent += usage
        self._settled.set()
        self._settled = asyncio.Event()


@dataclass
class BudgetedJudge(Judge):
    """A judge that stops asking when the meter's budget is spent."""

    inner: Judge
    meter: Meter

    def __post_init__(self) -> None:
        self.window, self.max_items = self.inner.window, self.inner.max_items

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Ask the inner judge, or raise BudgetExceeded."""
        await self.meter.reserve()
        calls: list[Call] = []
        try:
            with recording() as calls:
                return await self.inner.ask(prompt, data, sample=sample)
        finally:
            self.meter.settle(Usage.total(call.usage for call in calls))
            for call in calls:
                record(call)

    def describe(self) -> JudgeInfo:
        """The inner judge."""
        return self.inner.describe()

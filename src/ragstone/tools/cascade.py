"""A cascade: the local judge answers where it is sure, the LLM where it is not."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.errors import Unscored, UsageError
from ragstone.prompt.items import ItemsIn, VerdictList, reconcile
from ragstone.prompt.prompt import Prompt
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.usage import Call
from ragstone.tools.judge import Judge
from ragstone.tools.recording import record

__all__ = ["CascadeJudge", "Shares"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
V = TypeVar("V", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Shares:
    """How much a cascade was asked, and how much of it went on to the LLM.

    A question is one `ask`. Its items are the entries of its list, or itself where it has no list.
    What is asked for again, because a verdict was missing, counts again.
    """

    questions: int = 0
    questions_to_llm: int = 0
    items: int = 0
    items_to_llm: int = 0

    def __add__(self, other: Shares) -> Shares:
        return Shares(
            self.questions + other.questions,
            self.questions_to_llm + other.questions_to_llm,
            self.items + other.items,
            self.items_to_llm + other.items_to_llm,
        )


class CascadeJudge(Judge):
    """Asks a judge with calibrated probabilities first, and an LLM where that judge is unsure.

    A verdict is unsure when its `probability` lies in `below`..`above` (0 to 1, ends included), or
    when it has none. Of a list only the unsure items are asked of the LLM, in one call. What the
    local judge cannot answer (needs_llm), or answers without a probability, such as the claims of
    a text, goes to the LLM whole. Verdicts of the LLM carry no probability.

    `shares` counts since the judge was made; the report of a run counts that run. One cascade may
    be used from several event loops and threads at once. Errors of the LLM, and other reasons of
    the local judge for having no answer, are raised as they are. Raises UsageError for what is no
    judge, and unless 0 <= below <= above <= 1.
    """

    def __init__(self, local: Judge, llm: Judge, *, below: float = 0.3, above: float = 0.7) -> None:
        for name, judge in (("local", local), ("llm", llm)):
            if not isinstance(judge, Judge):
                raise UsageError(f"{name} must be a judge, not {judge!r}")
        if not 0.0 <= below <= above <= 1.0:
            raise UsageError(
                f"below and above must be 0 <= below <= above <= 1, not {below!r} and {above!r}"
            )
        self.local, self.llm = local, llm
        self.below, self.above = float(below), float(above)
        windows = [judge.window for judge in (local, llm) if judge.window is not None]
        self.window = min(windows, default=None)
        self.max_items = min(local.max_items, llm.max_items)
        self._shares = Shares()
        self._lock = threading.Lock()

    @property
    def shares(self) -> Shares:
        """How much was asked so far, and how much of it of the LLM."""
        with self._lock:
            return self._shares

    def describe(self) -> JudgeInfo:
        """Both judges with all their settings, and the two bounds."""
        local, llm = self.local.describe(), self.llm.describe()
        settings = {
            "below": self.below,
            "above": self.above,
            "local": asdict(local),
            "llm": asdict(llm),
        }
        return JudgeInfo("cascade", f"{local.name}, then {llm.name}", settings)

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer one prompt; raises what the LLM raises where it is asked."""
        try:
            first = await self.local.ask(prompt, data, sample=sample)
        except Unscored as signal:
            if signal.code != "needs_llm":
                raise
            return await self._ask_llm(prompt, data, sample)
        if isinstance(data, ItemsIn) and isinstance(first, VerdictList):
            completed: Out = await self._complete(prompt, data, first, sample)
            return completed
        if self._sure(first):
            self._count(prompt, items=1, to_llm=0)
            return first
        return await self._ask_llm(prompt, data, sample)

    async def _complete(
        self, prompt: Prompt[Any, Any], data: ItemsIn, first: VerdictList[Any], sample: int
    ) -> Any:
        """The sure verdicts of the first judge, and the LLM's on all other items."""
        given = reconcile(data.items, first.verdicts)
        sure = {key: verdict for key, verdict in given.items() if self._sure(verdict)}
        left = [item for item in data.items if item.id not in sure]
        self._count(prompt, items=len(data.items), to_llm=len(left))
        if not left:
            return first
        reply = await self.llm.ask(prompt, data.model_copy(update={"items": left}), sample=sample)
        found = sure | dict(reconcile(left, _unweighed(reply.verdicts)))
        in_order = [found[item.id] for item in data.items if item.id in found]
        return reply.model_copy(update={"verdicts": in_order})

    async def _ask_llm(self, prompt: Prompt[In, Out], data: In, sample: int) -> Out:
        items = len(data.items) if isinstance(data, ItemsIn) else 1
        self._count(prompt, items=items, to_llm=items)
        reply = await self.llm.ask(prompt, data, sample=sample)
        if isinstance(reply, VerdictList):
            return reply.model_copy(update={"verdicts": _unweighed(reply.verdicts)})
        return _unweighed([reply])[0]

    def _sure(self, verdict: BaseModel) -> bool:
        probability = getattr(verdict, "probability", None)
        return probability is not None and not self.below <= probability <= self.above

    def _count(self, prompt: Prompt[Any, Any], *, items: int, to_llm: int) -> None:
        """Count a question, and let the run that asks it know where its items went."""
        with self._lock:
            self._shares += Shares(1, int(to_llm > 0), items, to_llm)
        went = {"items": items, "to_llm": to_llm}
        record(Call(prompt.id, self.describe().name, {}, went))


def _unweighed(verdicts: Iterable[V]) -> list[V]:
    """Without the probabilities: those of another judge are on another scale, or made up."""
    return [
        verdict.model_copy(update={"probability": None})
        if "probability" in type(verdict).model_fields
        else verdict
        for verdict in verdicts
    ]

"""A judge answers typed prompts. Everything that makes a judge better is a judge around a judge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from ragstone.errors import Unscored
from ragstone.prompt.items import Item, ItemsIn, ItemVerdict, VerdictList, reconcile, to_items
from ragstone.prompt.prompt import Prompt
from ragstone.schema.runs import JudgeInfo

__all__ = ["Judge", "fit", "refuse_too_long", "split_data"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
ListIn = TypeVar("ListIn", bound=ItemsIn)
V = TypeVar("V", bound=ItemVerdict)


class Judge(ABC):
    """Whoever answers prompts: an LLM, small local models, a person's recorded labels.

    `window` is how many characters of data fit in one question (None: no limit). `max_items` is how
    many items are judged in one question at most.
    """

    window: int | None = None
    max_items: int = 50

    @abstractmethod
    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer one prompt; `sample` numbers independent answers to the same question.

        Raises Unscored when there is honestly no answer (needs_llm, judge_refused, truncated),
        JudgeError when the judge broke.
        """

    @abstractmethod
    def describe(self) -> JudgeInfo:
        """Who this is, with every setting that can move a verdict."""

    async def verdicts(
        self, prompt: Prompt[ListIn, VerdictList[V]], texts: Sequence[str], **shared: Any
    ) -> list[V]:
        """One verdict for every text, in order, whatever the judge sends back.

        `shared` holds the other fields of the prompt's input. Verdicts are matched by id; the
        missing ones are asked for again once; what is missing still makes the whole answer
        Unscored("missing_verdicts"). Data longer than the judge's window are judged in parts.
        """
        items = to_items(texts)
        found: dict[str, V] = {}
        for batch in _batches(items, self.max_items, self._room(prompt.split, shared)):
            found.update(await self._verdicts_on_parts(prompt, batch, shared))
        missing = [item for item in items if item.id not in found]
        if missing:
            raise Unscored(
                "missing_verdicts",
                f"{len(missing)} of {len(items)} items got no usable verdict, asked twice",
            )
        return [found[item.id] for item in items]

    def _room(self, split: str | None, shared: dict[str, Any]) -> int | None:
        """How many characters of items go into one question: half, where the data can be cut."""
        if self.window is None:
            return None
        left = self.window - sum(_length(value) for value in shared.values())
        return self.window // 2 if split else left

    async def _verdicts_on_parts(
        self, prompt: Prompt[ListIn, VerdictList[V]], items: Sequence[Item], shared: dict[str, Any]
    ) -> Mapping[str, V]:
        taken = sum(len(item.text) for item in items)
        left = None if self.window is None else self.window - taken
        parts = list(split_data(prompt.split, shared, left))
        if len(parts) == 1:
            return await self._verdicts_once(prompt, items, parts[0])
        by_part = [await self._verdicts_once(prompt, items, part) for part in parts]
        whole = {
            item.id: [verdicts[item.id] for verdicts in by_part if item.id in verdicts]
            for item in items
        }
        complete = {key: found for key, found in whole.items() if len(found) == len(parts)}
        return {key: type(found[0]).combine(found) for key, found in complete.items()}

    async def _verdicts_once(
        self, prompt: Prompt[ListIn, VerdictList[V]], items: Sequence[Item], shared: dict[str, Any]
    ) -> Mapping[str, V]:
        found: dict[str, V] = {}
        for attempt in range(2):
            left = [item for item in items if item.id not in found]
            if left:
                data = prompt.input(items=left, **shared)
                reply = await self.ask(prompt, data, sample=attempt)
                found.update(reconcile(left, reply.verdicts))
        return found


def _batches(items: Sequence[Item], most: int, room: int | None) -> Iterator[Sequence[Item]]:
    """Items for one question each: so many at most, and no more characters than there is room."""
    batch: list[Item] = []
    size = 0
    for item in items:
        too_long = room is not None and size + len(item.text) > room
        if batch and (too_long or len(batch) == most):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += len(item.text)
    if batch:
        yield batch


def split_data(
    field: str | None, shared: dict[str, Any], window: int | None
) -> Iterator[dict[str, Any]]:
    """The shared data in parts that fit the window: the texts of one list field are cut and packed.

    Neighbouring pieces of a text that has to be cut overlap by a tenth, so that a sentence at a cut
    stands whole in one of them. Raises Unscored("too_long") when nothing can be split, or what
    cannot be split leaves less than a quarter of the window.
    """
    size = sum(_length(value) for value in shared.values())
    if window is None or size <= window:
        yield shared
        return
    texts = None if field is None else shared.get(field)
    room = window - size + _length(texts) if isinstance(texts, (list, tuple)) else 0
    if field is None or texts is None or room < max(1, window // 4):
        raise Unscored("too_long", f"{size} characters of data; there is room for {max(0, window)}")
    part: list[str] = []
    for piece in (p for text in texts for p in _cut(text, room)):
        if part and _length(part) + len(piece) > room:
            yield {**shared, field: part}
            part = []
        part.append(piece)
    if part:
        yield {**shared, field: part}


def fit(judge: Judge, text: str, *beside: str) -> list[str]:
    """The text in pieces that the judge can read together with what stands beside it.

    One piece when it fits. Raises Unscored("too_long") when what stands beside leaves no room.
    """
    data = {"beside": list(beside), "text": [text]}
    parts = split_data("text", data, judge.window)
    return [piece for part in parts for piece in part["text"]]


def refuse_too_long(data: BaseModel, window: int | None) -> None:
    """Raise Unscored("too_long") when data hold more characters than the window."""
    if window is None:
        return
    size = sum(_length(value) for _, value in data)
    if size > window:
        raise Unscored("too_long", f"{size} characters of data; the judge reads {window} at once")


def _cut(text: str, room: int) -> Iterator[str]:
    step = max(1, room - room // 10)
    last = max(1, len(text) - (room - step))
    return (text[start : start + room] for start in range(0, last, step))


def _length(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Item):
        return len(value.text)
    if isinstance(value, (list, tuple)):
        return sum(_length(part) for part in value)
    return 0 if value is None else len(str(value))

"""Prompts that judge a list: every item carries an id, and verdicts are matched by it.

The denominator of a score is the list that we submitted, never the list that came back. So a
verdict without a known id is dropped, two verdicts of one id that disagree count as missing, and
what is missing is asked for again once (see `ragstone.tools.judge`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)
from pydantic.json_schema import SkipJsonSchema

__all__ = [
    "Item",
    "ItemVerdict",
    "ItemsIn",
    "Probability",
    "VerdictList",
    "reconcile",
    "to_items",
]

Probability = SkipJsonSchema[Annotated[float | None, Field(ge=0.0, le=1.0)]]
"""How sure a judge with calibrated probabilities is of the positive label (the first one), 0 to 1.

None from a judge that has none. It is not in the schema of the output, so an LLM is never asked for
a number: those it makes up mean nothing.
"""


class Item(BaseModel):
    """One thing to judge: an id of ours and its text."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str


class ItemsIn(BaseModel):
    """Input of a prompt over a list; subclasses add the data that all items share."""

    model_config = ConfigDict(frozen=True)

    items: list[Item]


class ItemVerdict(BaseModel):
    """The verdict on one item; subclasses add `verdict: Literal[...]`."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(description="the id of the item, copied")

    @field_validator("id", mode="before")
    @classmethod
    def _number_as_text(cls, value: Any) -> Any:
        """Models copy the id "1" as the number 1."""
        return str(value) if type(value) is int else value

    @classmethod
    def combine(cls, parts: Sequence[Self]) -> Self:
        """One verdict from the verdicts on several parts of data too long for one question.

        A verdict class whose data can be split overrides this.
        """
        raise NotImplementedError(f"{cls.__name__} cannot be combined from parts")

    def decision(self) -> object:
        """What two verdicts on one item must agree in: the label."""
        return getattr(self, "verdict", None)


V = TypeVar("V", bound=ItemVerdict)


class VerdictList(BaseModel, Generic[V]):
    """Output of a prompt over a list: one verdict for every item.

    Verdicts are read one by one. What is no verdict is dropped, so that it counts as missing and
    the others stand; only a list without any verdict in it is no answer.
    """

    model_config = ConfigDict(frozen=True)

    verdicts: list[V]

    @field_validator("verdicts", mode="wrap")
    @classmethod
    def _one_by_one(cls, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        try:
            return read(value)
        except ValidationError:
            entries = value if isinstance(value, list) else ()
            kept = [verdict for entry in entries for verdict in _read_one(entry, read)]
            if not kept:
                raise
            return kept


def _read_one(entry: object, read: ValidatorFunctionWrapHandler) -> Sequence[Any]:
    try:
        return list(read([entry]))
    except ValidationError:
        return ()


def to_items(texts: Sequence[str]) -> list[Item]:
    """Give each text an id: "1", "2", ..."""
    return [Item(id=str(n), text=text) for n, text in enumerate(texts, start=1)]


def reconcile(items: Sequence[Item], verdicts: Sequence[V]) -> Mapping[str, V]:
    """The verdict of each submitted id: unknown ids dropped, disagreeing duplicates left out."""
    known = {item.id for item in items}
    found: dict[str, V] = {}
    torn: set[str] = set()
    for verdict in verdicts:
        key = verdict.id.strip()
        if key not in known:
            continue
        if key in found and found[key].decision() != verdict.decision():
            torn.add(key)
        found[key] = verdict
    return {key: verdict for key, verdict in found.items() if key not in torn}

"""Criteria worded by the user: a yes/no aspect, or a label out of a list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from ragstone.prompt.prompt import Prompt

__all__ = [
    "ASPECT",
    "GRADE",
    "SCALE",
    "AspectIn",
    "AspectVerdict",
    "FieldsIn",
    "Grade",
    "label_reply",
    "number_reply",
    "ranking_reply",
]


class AspectIn(BaseModel):
    """A criterion, and the parts of a sample that are there to judge it by."""

    model_config = ConfigDict(frozen=True)

    criterion: str
    user_input: str | None = None
    response: str | None = None
    retrieved_contexts: list[str] | None = None
    reference: str | None = None
    reference_contexts: list[str] | None = None


class AspectVerdict(BaseModel):
    """Whether the criterion is met."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(description="one or two short sentences")
    verdict: Literal["yes", "no"]


class Grade(BaseModel):
    """A whole number as a score; a metric narrows it to the levels that it has."""

    model_config = ConfigDict(frozen=True)

    reason: str = Field(description="one or two short sentences")
    value: int


class FieldsIn(BaseModel):
    """Any named fields: what fills the placeholders of a user's own prompt."""

    model_config = ConfigDict(frozen=True, extra="allow")


def label_reply(labels: tuple[str | int, ...]) -> type[BaseModel]:
    """The reply of a prompt with closed labels: a reason, and one label as `value`.

    A label has a type: for the label 1 neither true nor 1.0 nor "1" will do.
    """

    def of_one_type(value: object) -> object:
        if not any(type(value) is type(label) and value == label for label in labels):
            raise ValueError(f"not one of {', '.join(map(repr, labels))}")
        return value

    return _reply("LabelReply", Annotated[Literal[labels], BeforeValidator(of_one_type)])


def number_reply(bounds: tuple[float, float] | range) -> type[BaseModel]:
    """The reply of a prompt for a number: a reason, and as `value` a number within the bounds.

    The number is a number: neither true nor "4" nor what is not finite will do.
    """
    ends = Field(strict=True, ge=min(bounds), le=max(bounds))
    if not isinstance(bounds, range):
        return _reply("NumberReply", Annotated[float, ends])

    def in_steps(value: int) -> int:
        if value not in bounds:
            raise ValueError(f"not in {bounds!r}")
        return value

    return _reply("NumberReply", Annotated[int, ends, AfterValidator(in_steps)])


def ranking_reply(count: int) -> type[BaseModel]:
    """The reply of a prompt for an order: a reason, and as `value` so many different items."""

    def different(value: list[str]) -> list[str]:
        if len(set(value)) < len(value):
            raise ValueError("an item stands twice in the ranking")
        return value

    length = Field(min_length=count, max_length=count, description="the best item first")
    return _reply("RankingReply", Annotated[list[str], length, AfterValidator(different)])


def _reply(name: str, value: Any) -> type[BaseModel]:
    return create_model(
        name,
        __config__=ConfigDict(frozen=True),
        reason=(str, Field(description="one or two short sentences")),
        value=(value, ...),
    )


GRADE = Prompt("criteria/grade", AspectIn, Grade)
SCALE = Prompt("criteria/scale", AspectIn, Grade)
ASPECT = Prompt("criteria/aspect", AspectIn, AspectVerdict)

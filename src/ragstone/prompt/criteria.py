"""Criteria worded by the user: a yes/no aspect, or a label out of a list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from ragstone.prompt.prompt import Prompt

__all__ = ["ASPECT", "AspectIn", "AspectVerdict", "FieldsIn", "label_reply"]


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

    value: Any = Annotated[Literal[labels], BeforeValidator(of_one_type)]
    return create_model(
        "LabelReply",
        __config__=ConfigDict(frozen=True),
        reason=(str, Field(description="one or two short sentences")),
        value=(value, ...),
    )


ASPECT = Prompt("criteria/aspect", AspectIn, AspectVerdict)

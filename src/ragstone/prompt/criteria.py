"""Criteria worded by the user: a yes/no aspect, or a label out of a list."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

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
    """The reply of a prompt with closed labels: a reason, and one label as `value`."""
    value: Any = Literal[labels]
    return create_model(
        "LabelReply",
        __config__=ConfigDict(frozen=True),
        reason=(str, Field(description="one or two short sentences")),
        value=(value, ...),
    )


ASPECT = Prompt("criteria/aspect", AspectIn, AspectVerdict)

"""The samples that are evaluated: one answer, or one conversation."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from ragstone.schema.messages import AnyMessage, Message, ToolCall, conversation_text
from ragstone.schema.messages import check_messages as _check_messages
from ragstone.schema.messages import check_order as _check_order

__all__ = ["MultiTurnSample", "Sample", "SingleTurnSample"]

_Grade = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class _Sample(BaseModel):
    """What both kinds of sample share.

    `id` names the row across runs; `metadata` holds the columns that are no sample field
    (they can group rows and fill the placeholders of a user's own metric).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str | None = None
    reference: str | None = None
    rubrics: dict[str, str] | None = None
    metadata: dict[str, Any] | None = None

    def value(self, field: str) -> Any:
        """The value of a field, or of a metadata column of that name; None when there is none."""
        if field in type(self).model_fields:
            return getattr(self, field)
        return (self.metadata or {}).get(field)

    def get_features(self) -> list[str]:
        """Names of the fields that hold a value, metadata columns included."""
        own = [
            f for f in type(self).model_fields if f != "metadata" and getattr(self, f) is not None
        ]
        return own + [k for k, v in (self.metadata or {}).items() if v is not None]

    def to_dict(self) -> dict[str, Any]:
        """The sample as a plain dict without empty fields, metadata columns beside the others."""
        row = self.model_dump(mode="json", exclude_none=True, exclude={"metadata"})
        return row | {k: v for k, v in (self.metadata or {}).items() if k not in row}


class SingleTurnSample(_Sample):
    """One question and its answer, with what was retrieved and what was expected.

    `reference_context_grades` says how relevant each of `reference_context_ids` is: 0 not at all,
    more is better. Without grades all are equally relevant.
    """

    user_input: str | None = None
    response: str | None = None
    retrieved_contexts: list[str] | None = None
    reference_contexts: list[str] | None = None
    retrieved_context_ids: list[str | int] | None = None
    reference_context_ids: list[str | int] | None = None
    reference_context_grades: list[_Grade] | None = None
    reference_tool_calls: list[ToolCall] | None = None
    reference_topics: list[str] | None = None
    multi_responses: list[str] | None = None
    run_time: float | None = None
    persona_name: str | None = None
    query_style: str | None = None
    query_length: str | None = None

    @field_validator("reference_context_grades")
    @classmethod
    def _one_grade_each(
        cls, grades: list[float] | None, info: ValidationInfo
    ) -> list[float] | None:
        ids = info.data.get("reference_context_ids") or ()
        if grades is not None and len(grades) != len(ids):
            raise ValueError(
                f"{len(grades)} grades for {len(ids)} reference_context_ids; one for each is needed"
            )
        return grades


class MultiTurnSample(_Sample):
    """One conversation. Tool messages must answer an AI message that called tools.

    `chatbot_role` is the part that the application is to play, in words.
    """

    user_input: list[AnyMessage]
    response: str | None = None
    retrieved_contexts: list[str] | None = None
    reference_tool_calls: list[ToolCall] | None = None
    reference_topics: list[str] | None = None
    chatbot_role: str | None = None
    run_time: float | None = None

    @field_validator("user_input", mode="before")
    @classmethod
    def _form(cls, messages: Any) -> Any:
        _check_messages(messages)
        return messages

    @field_validator("user_input")
    @classmethod
    def _order(cls, messages: list[Message]) -> list[Message]:
        _check_order(messages)
        return messages

    def to_messages(self) -> list[dict[str, Any]]:
        """The messages as plain dicts."""
        return [message.model_dump() for message in self.user_input]

    def pretty_repr(self) -> str:
        """The conversation as text, one line a message and one a tool call."""
        return conversation_text(self.user_input)


Sample = SingleTurnSample | MultiTurnSample

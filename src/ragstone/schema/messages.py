"""The messages of a conversation and the tool calls in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AIMessage",
    "AnyMessage",
    "HumanMessage",
    "ToolCall",
    "ToolMessage",
    "check_order",
    "conversation_text",
]


class ToolCall(BaseModel):
    """One call of a tool: its name and its arguments."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    args: dict[str, Any] = Field(default_factory=dict)


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    content: str
    metadata: dict[str, Any] | None = None


class HumanMessage(_Message):
    """What the user said."""

    type: Literal["human"] = "human"


class AIMessage(_Message):
    """What the application said, with the tools that it called."""

    type: Literal["ai"] = "ai"
    tool_calls: list[ToolCall] | None = None


class ToolMessage(_Message):
    """What a tool returned."""

    type: Literal["tool"] = "tool"


AnyMessage = Annotated[HumanMessage | AIMessage | ToolMessage, Field(discriminator="type")]


def check_order(messages: Sequence[HumanMessage | AIMessage | ToolMessage]) -> None:
    """Raise ValueError unless every tool message answers an AI message that called tools."""
    for index, message in enumerate(messages):
        if not isinstance(message, ToolMessage):
            continue
        before = messages[index - 1] if index else None
        answers_call = isinstance(before, AIMessage) and bool(before.tool_calls)
        if not (answers_call or isinstance(before, ToolMessage)):
            raise ValueError(
                f"message {index} is a ToolMessage, but the message before it is not an AIMessage "
                "with tool_calls (or another ToolMessage)"
            )


def conversation_text(messages: Sequence[HumanMessage | AIMessage | ToolMessage]) -> str:
    """The conversation as text, one line per message, tool calls indented below their message."""
    lines: list[str] = []
    for message in messages:
        label = {"human": "Human", "ai": "AI", "tool": "ToolOutput"}[message.type]
        lines.append(f"{label}: {message.content}")
        for call in (message.tool_calls or ()) if isinstance(message, AIMessage) else ():
            lines.append(f"  Tool call: {call.name}: {call.args}")
    return "\n".join(lines)

"""The messages of a conversation and the tool calls in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "AIMessage",
    "AnyMessage",
    "HumanMessage",
    "Message",
    "ToolCall",
    "ToolMessage",
    "check_messages",
    "check_order",
    "conversation_text",
]


class ToolCall(BaseModel):
    """One call of a tool: its name and its arguments."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    args: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _known_form(cls, value: Any) -> Any:
        """Refuse the forms of other libraries in words that say what to write."""
        if isinstance(value, Mapping) and not set(value) <= {"name", "args"}:
            raise ValueError(
                f"a tool call has a name and args, {_CALL}, not the keys {sorted(map(str, value))}"
            )
        return value


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    content: str
    metadata: dict[str, Any] | None = None


class HumanMessage(_Message):
    """What the user said."""

    type: Literal["human"] = "human"

    def pretty_repr(self) -> str:
        """The message as text: "Human: ..."."""
        return f"Human: {_indented(self.content)}"


class AIMessage(_Message):
    """What the application said, with the tools that it called."""

    type: Literal["ai"] = "ai"
    tool_calls: list[ToolCall] | None = None

    def pretty_repr(self) -> str:
        """The message as text: "AI: ...", if it says something, and its calls below "Tools:"."""
        lines = [f"AI: {_indented(self.content)}"] if self.content or not self.tool_calls else []
        if self.tool_calls:
            lines += ["Tools:", *(f"  {call.name}: {_json(call.args)}" for call in self.tool_calls)]
        return "\n".join(lines)


class ToolMessage(_Message):
    """What a tool returned."""

    type: Literal["tool"] = "tool"

    def pretty_repr(self) -> str:
        """The message as text: "ToolOutput: ..."."""
        return f"ToolOutput: {_indented(self.content)}"


Message = HumanMessage | AIMessage | ToolMessage
AnyMessage = Annotated[Message, Field(discriminator="type")]

_CALL = "{'name': 'search', 'args': {'query': 'tea'}}"
_TYPES = {"user": "human", "assistant": "ai", "bot": "ai", "function": "tool"}


def check_messages(messages: Any) -> None:
    """Raise ValueError, which says what to write, for plain data that are no messages."""
    if not isinstance(messages, (list, tuple)):
        return
    for index, message in enumerate(messages):
        if isinstance(message, str):
            raise ValueError(
                f"message {index} is a text, which does not say whose it is; write "
                "{'type': 'human', 'content': ...}, or HumanMessage(content=...)"
            )
        if isinstance(message, Mapping):
            _check_keys(index, message)


def _check_keys(index: int, message: Mapping[Any, Any]) -> None:
    named = message.get("type", message.get("role"))
    wanted = _TYPES.get(str(named), named)
    if "type" not in message or wanted != named or wanted not in ("human", "ai", "tool"):
        hint = f"'type': {wanted!r}" if wanted in ("human", "ai", "tool") else "or leave it out"
        raise ValueError(
            f"message {index} has no type human, ai or tool but the keys "
            f"{sorted(map(str, message))}{f' and is by {named!r}' if named else ''}; write {hint}"
        )
    if message.get("content") is None:
        raise ValueError(
            f"message {index} has no content; write the text as 'content': ..., and '' for an AI "
            "message that only calls tools"
        )


def check_order(messages: Sequence[Message]) -> None:
    """Raise ValueError unless every tool message answers an AI message that called tools."""
    for index, message in enumerate(messages):
        if not isinstance(message, ToolMessage):
            continue
        before = messages[index - 1] if index else None
        answers_call = isinstance(before, AIMessage) and bool(before.tool_calls)
        if not (answers_call or isinstance(before, ToolMessage)):
            raise ValueError(
                f"message {index} is a ToolMessage, but the message before it is not an AIMessage "
                "with tool_calls (or another ToolMessage); put the call there: "
                "AIMessage(content='', tool_calls=[ToolCall(name=..., args={...})])"
            )


def conversation_text(messages: Sequence[Message]) -> str:
    """The conversation as text: "Human:", "AI:" with "Tools:" below it, "ToolOutput:".

    Further lines of a message are indented, so that no message can look like the next one.
    """
    return "\n".join(message.pretty_repr() for message in messages)


def _indented(text: str) -> str:
    return "\n  ".join(text.splitlines())


def _json(args: Mapping[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False, default=str)

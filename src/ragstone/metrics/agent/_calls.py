"""Tool calls: those that an agent made, and when two are the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ragstone.errors import UsageError
from ragstone.metrics._conversation import Conversation, messages_of
from ragstone.schema.messages import AIMessage, ToolCall

__all__ = ["call_text", "calls_made", "canonical", "expected_calls"]


def calls_made(metric: str, user_input: Conversation) -> list[ToolCall]:
    """The calls of all AI messages, in order. Raises UsageError for what is no conversation."""
    said = messages_of(metric, user_input)
    return [call for m in said if isinstance(m, AIMessage) for call in m.tool_calls or ()]


def expected_calls(metric: str, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """The reference calls. Raises UsageError for what is no tool call."""
    for index, call in enumerate(calls):
        if not isinstance(call, ToolCall):
            raise UsageError(
                f"{metric!r}: reference_tool_calls[{index}] is a {type(call).__name__}; make it "
                "ToolCall(name='...', args={...}) (from ragstone.messages)"
            )
    return list(calls)


def canonical(value: Any) -> str:
    """A value as JSON, the same for equal values: keys sorted, 2.0 written as 2."""
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=str)


def call_text(call: ToolCall) -> str:
    """A call as text, the same for equal calls."""
    return f"{call.name}({canonical(call.args)})"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value

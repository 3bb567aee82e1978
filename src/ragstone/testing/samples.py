"""Small samples that are whole: each field that a usual metric reads has a value."""

from __future__ import annotations

from typing import Any

from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall
from ragstone.schema.samples import MultiTurnSample, SingleTurnSample

__all__ = ["call", "dialogue", "row", "rows", "sample"]


def row(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A plain row, different for each number; `changes` replace or add columns.

    Its response makes two claims: the context holds the first, and nothing is said of the second.
    """
    values: dict[str, Any] = {
        "id": f"row-{number}",
        "user_input": f"What is number {number}?",
        "response": f"Number {number} is red. Number {number} is big.",
        "reference": f"Number {number} is red.",
        "retrieved_contexts": [f"It is known: Number {number} is red. Nothing else."],
    }
    return values | changes


def rows(count: int) -> list[dict[str, Any]]:
    """The rows 0 to `count` - 1."""
    return [row(number) for number in range(count)]


def sample(number: int = 0, **changes: Any) -> SingleTurnSample:
    """The row of that number as a sample."""
    return SingleTurnSample(**row(number, **changes))


def call(name: str, **args: Any) -> ToolCall:
    """A tool call with these arguments."""
    return ToolCall(name=name, args=args)


def dialogue(*calls: ToolCall, reference: list[ToolCall] | None = None) -> MultiTurnSample:
    """A conversation in which an agent makes these calls, each in a message of its own.

    `reference` are the calls that it should have made.
    """
    said = [AIMessage(content="", tool_calls=[made]) for made in calls]
    return MultiTurnSample(
        user_input=[HumanMessage(content="Please do it."), *said, AIMessage(content="Done.")],
        reference_tool_calls=reference,
    )

"""The messages of a conversation (the documented import place)."""

from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall, ToolMessage

__all__ = ["AIMessage", "HumanMessage", "ToolCall", "ToolMessage"]

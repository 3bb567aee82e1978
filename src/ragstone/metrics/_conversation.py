"""The conversation that a metric reads: its messages, and what is said in them."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._spans import find_quote
from ragstone.metrics._texts import blank
from ragstone.schema.messages import AIMessage, HumanMessage, Message, conversation_text
from ragstone.schema.results import Span

__all__ = ["Conversation", "by_item", "messages_of", "need_both", "quoted", "said_by_ai"]

Conversation = str | Sequence[Message]
"""What `user_input` may hold; only messages are a conversation."""


def messages_of(metric: str, user_input: Conversation) -> Sequence[Message]:
    """The messages of a conversation. Raises UsageError, which says what to write, for others."""
    if isinstance(user_input, str):
        raise UsageError(
            f"{metric!r} needs a conversation: user_input must be messages, such as "
            "[HumanMessage(content='...'), AIMessage(content='...')]"
        )
    for index, message in enumerate(user_input):
        if not isinstance(message, Message):
            raise UsageError(
                f"{metric!r}: message {index} is a {type(message).__name__}; make it a "
                "HumanMessage, AIMessage or ToolMessage (from ragstone.messages)"
            )
    return user_input


def need_both(messages: Sequence[Message]) -> Sequence[Message]:
    """The messages, or Unscored when the user or the application says and does nothing."""
    if not any(isinstance(m, HumanMessage) and not blank(m.content) for m in messages):
        raise Unscored("not_applicable", "the user says nothing in the conversation")
    if not any(
        isinstance(m, AIMessage) and (m.tool_calls or not blank(m.content)) for m in messages
    ):
        raise Unscored("not_applicable", "the application neither says nor does anything")
    return messages


def said_by_ai(messages: Sequence[Message]) -> list[int]:
    """The places of the AI messages that hold text; those that only call tools do not."""
    return [
        index
        for index, message in enumerate(messages)
        if isinstance(message, AIMessage) and not blank(message.content)
    ]


def by_item(messages: Sequence[Message], places: Sequence[int]) -> str:
    """The conversation as text, in which "(item n)" stands for the n-th of the given messages."""
    shown = list(messages)
    for number, place in enumerate(places, start=1):
        shown[place] = messages[place].model_copy(update={"content": f"(item {number})"})
    return conversation_text(shown)


def quoted(quote: str, messages: Sequence[Message], *kinds: type[Message]) -> tuple[Span, ...]:
    """Where a quote stands word for word: the first message, of the given kinds, that holds it."""
    texts = [m.content if isinstance(m, kinds or Message) else "" for m in messages]
    return find_quote(quote, "user_input", texts)

"""Openings that questions share are read once, in steps that are the same for every question.

The runtime keeps what it has read of the last question, and reads only the rest of the next one.
But quantized weights round otherwise in a batch of another size, so an answer would depend on how
much the question before happened to share. Here the steps are fixed: the opening, always from the
same place on, then the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["Openings"]

Chat = Callable[[dict[str, Any]], Mapping[str, Any]]


class Openings:
    """What the model holds of the last question."""

    def __init__(self) -> None:
        self._held: list[list[Mapping[str, Any]]] = []

    def ask(
        self, chat: Chat, body: Mapping[str, Any], beginnings: Sequence[str]
    ) -> Mapping[str, Any]:
        """The reply to a request, after its openings.

        An opening is the system message with a beginning of the user's message; `beginnings` holds
        them from the shortest to the longest, each a beginning of the next.
        """
        wanted = [_opening(body, text) for text in beginnings]
        same = 0
        while self._held[same : same + 1] == wanted[same : same + 1] != []:
            same += 1
        self._held, whole = wanted, True
        for n in range(max(same - 1, 0), len(wanted)):  # the last one held: to forget what followed
            whole = whole and "error" not in chat(_reading(wanted[n], cached=same > 0 or n > 0))
        if not whole:
            self._held = []
        return chat({**body, "cache_prompt": whole})


def _opening(body: Mapping[str, Any], text: str) -> list[Mapping[str, Any]]:
    system = [message for message in body["messages"][:1] if message["role"] == "system"]
    return [*system, {"role": "user", "content": text}]


def _reading(messages: list[Mapping[str, Any]], *, cached: bool) -> dict[str, Any]:
    return {"messages": messages, "max_tokens": 1, "temperature": 0, "cache_prompt": cached}

"""A provider whose transport is the model in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragstone.errors import ProviderError
from ragstone.llms.dialect import Dialect
from ragstone.llms.provider import ChatReply, ChatRequest, Provider, Tokens
from ragstone.local_llm.engine import Engine
from ragstone.local_llm.neutral import neutral

__all__ = ["InProcess", "tokens_of"]


@dataclass(frozen=True, eq=False)
class InProcess(Provider):
    """Asks the engine; the form of the reply is held by constrained decoding."""

    engine: Engine

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once. Raises ProviderError (too_long, bad_request)."""
        if request.images:
            raise ProviderError(
                f"{self.model} sees no pictures; give llm=..., a model that does",
                provider=self.name,
                kind="bad_request",
            )
        turns = tuple(neutral(turn) for turn in request.turns)
        safe = replace(request, system=neutral(request.system), turns=turns)
        reply = await self.ask(Dialect().body(self.model, safe, {}))
        choice = reply["choices"][0]
        return ChatReply(
            choice["message"].get("content") or "",
            "length" if choice["finish_reason"] == "length" else "stop",
            tokens_of(reply),
            self.model,
            cost=0.0,
        )

    async def ask(
        self, body: Mapping[str, Any], beginnings: Sequence[str] = ("",)
    ) -> Mapping[str, Any]:
        """The reply to a request of the OpenAI form. Raises ProviderError."""
        reply = await self.engine.chat(body, beginnings)
        if (error := reply.get("error")) is None:
            return reply
        kind = "too_long" if error.get("type") == "exceed_context_size_error" else "bad_request"
        raise ProviderError(f"{self.model}: {error.get('message')}", provider=self.name, kind=kind)


def tokens_of(reply: Mapping[str, Any]) -> Tokens | None:
    """The tokens that the runtime counted."""
    usage = reply.get("usage", {})
    cached = usage.get("prompt_tokens_details", {}).get("cached_tokens")
    return Tokens.reported(usage.get("prompt_tokens"), usage.get("completion_tokens"), cached)

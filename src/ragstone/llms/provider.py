"""The small protocol between the judge and whoever carries its questions to a model."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeGuard

from ragstone.llms.forms import OutputForm
from ragstone.prompt.images import Image

__all__ = ["ChatReply", "ChatRequest", "Finish", "Provider", "Tokens"]

Finish = Literal["stop", "length", "refused"]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model.

    `turns` is what was said after the system message: the user first, then in turn. `max_tokens`
    bounds the reply. `sample` numbers independent answers to the same question; `seed` already
    contains it. `images` go with the first turn. A None is left to the provider's default.
    """

    system: str
    turns: tuple[str, ...]
    form: OutputForm
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    sample: int = 0
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens as the provider counted them; `output` includes reasoning, `input` what it reused."""

    input: int
    output: int
    cached_input: int = 0
    reasoning: int = 0

    @classmethod
    def reported(
        cls, told: object, answered: object, cached: object = None, reasoning: object = None
    ) -> Tokens | None:
        """What a provider reported; None unless both counts are whole numbers from 0 to 2**53."""
        if not (_is_count(told) and _is_count(answered)):
            return None
        return cls(
            told,
            answered,
            min(cached, told) if _is_count(cached) else 0,
            min(reasoning, answered) if _is_count(reasoning) else 0,
        )


_MOST_TOKENS = 2**53  # what every JSON reader and every database column can hold exactly


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= _MOST_TOKENS


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model answered.

    `finish` is stop, length (cut off at the token limit) or refused (by the model or by a content
    filter). `tokens` is None when the provider did not count them. `model` is the model that
    answered, as the provider names it, `cost` its price in dollars where the provider itself knows
    it (a model in this process costs 0).
    """

    text: str
    finish: Finish = "stop"
    tokens: Tokens | None = None
    model: str = ""
    cost: float | None = None


@dataclass(frozen=True, eq=False)
class Provider(ABC):
    """Carries questions to one model at one endpoint.

    `name` is the provider ("openai", "azure", ...), `settings` all further settings of the
    transport that can move an answer; no key is ever in them. A provider may be used from several
    event loops at once.
    """

    name: str
    endpoint: str
    model: str
    settings: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    key: str | None = field(default=None, kw_only=True, repr=False)
    key_variable: str | None = field(default=None, kw_only=True, repr=False)

    @abstractmethod
    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once. Raises ProviderError, classified; never retries and has no deadline itself."""

    async def aclose(self) -> None:
        """Close what is open. The provider may be used again afterwards."""
        return None

    @property
    def limit_key(self) -> tuple[str, str]:
        """What shares one limit of calls: the endpoint and the key (hashed)."""
        return self.endpoint, hashlib.sha256((self.key or "").encode()).hexdigest()

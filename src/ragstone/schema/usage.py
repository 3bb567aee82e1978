"""What judging took: calls, tokens, money, seconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Call", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls to a provider with their tokens and cost.

    `cost` is in US dollars, None when the price of a model is unknown (never 0 in its place).
    `cached_calls` were answered by the cache or shared with another cell, and cost nothing.
    `estimated` is True when a provider did not report its tokens and they were counted here.
    """

    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost is None or other.cost is None
        return Usage(
            self.calls + other.calls,
            self.cached_calls + other.cached_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.cost or 0.0) + (other.cost or 0.0),
            self.estimated or other.estimated,
        )

    @classmethod
    def total(cls, usages: Iterable[Usage]) -> Usage:
        """The sum of several usages."""
        return sum(usages, start=cls())


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a judge as it was asked and answered: the trace of a score.

    `prompt` is the id of the prompt, `judge` the name of who answered, `output` the validated
    reply, `raw` the text that came back when it differs, `cached` whether it was paid for earlier.
    """

    prompt: str
    judge: str
    input: dict[str, Any]
    output: dict[str, Any] | None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    cached: bool = False
    raw: str | None = None

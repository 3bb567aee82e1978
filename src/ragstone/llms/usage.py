"""What a reply took: tokens, counted or estimated, and their price.

Prices and context lengths come with the package `genai-prices`; nothing is fetched. A model is
looked up under the endpoint that was asked, so a local server that calls its model "gpt-4o" is
not billed as OpenAI's: its price is unknown, and an unknown price is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

from ragstone.llms.provider import ChatReply, ChatRequest, Tokens
from ragstone.schema.usage import Usage

__all__ = ["Price", "estimate_tokens", "price_of", "usage_of"]

_BYTES_PER_TOKEN = 4


def estimate_tokens(*texts: str) -> int:
    """About how many tokens the texts have: a quarter of their UTF-8 bytes.

    No tokenizer is involved, so text that looks like a special token is plain text here.
    """
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    return -(-size // _BYTES_PER_TOKEN)


@dataclass(frozen=True)
class Price:
    """What a model costs at an endpoint, and how much it reads at once."""

    endpoint: str
    model: str

    @cached_property
    def _entry(self) -> Any:
        from genai_prices import data_snapshot

        snapshot = data_snapshot.get_snapshot()
        try:
            return snapshot.find_provider_model(self.model, None, None, self.endpoint)[1]
        except LookupError:
            return None

    @cached_property
    def _rates(self) -> tuple[float, float, float] | None:
        """Dollars a token (input, reused input, output) when the price is flat."""
        from genai_prices.types import ModelPrice

        prices = self._entry.prices if self._entry is not None else None
        if not isinstance(prices, ModelPrice):
            return None
        fresh, out = prices.input_mtok, prices.output_mtok
        reused = fresh if prices.cache_read_mtok is None else prices.cache_read_mtok
        if not all(isinstance(rate, Decimal) for rate in (fresh, reused, out)):
            return None
        return float(fresh) / 1e6, float(reused) / 1e6, float(out) / 1e6  # type: ignore[arg-type]

    @property
    def context_tokens(self) -> int | None:
        """How many tokens the model reads at once, None when unknown."""
        return self._entry.context_window if self._entry is not None else None

    def cost(self, tokens: Tokens) -> float | None:
        """Dollars, None when the price is unknown."""
        if self._entry is None:
            return None
        if self._rates is not None:
            fresh, reused, out = self._rates
            new = tokens.input - tokens.cached_input
            return new * fresh + tokens.cached_input * reused + tokens.output * out
        return self._graded_cost(tokens)

    def _graded_cost(self, tokens: Tokens) -> float | None:
        """The price of a model whose rate depends on the size of the call or on the hour."""
        import genai_prices

        usage = genai_prices.Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cache_read_tokens=tokens.cached_input,
        )
        try:
            price = genai_prices.calc_price(usage, self.model, provider_api_url=self.endpoint)
        except (LookupError, ValueError):
            return None
        return float(price.total_price)


@lru_cache(maxsize=256)
def price_of(endpoint: str, model: str) -> Price:
    """The price of a model at an endpoint (kept, because the look-up is slow)."""
    return Price(endpoint, model)


def usage_of(reply: ChatReply, request: ChatRequest, endpoint: str, model: str) -> Usage:
    """The usage of one call. Without the provider's count, tokens are estimated and marked so."""
    tokens = reply.tokens or Tokens(
        estimate_tokens(request.system, *request.turns), estimate_tokens(reply.text)
    )
    cost = reply.cost
    if cost is None and reply.model:
        cost = price_of(endpoint, reply.model).cost(tokens)
    if cost is None and reply.model != model:
        cost = price_of(endpoint, model).cost(tokens)
    return Usage(
        calls=1,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cost=cost,
        estimated=reply.tokens is None,
    )

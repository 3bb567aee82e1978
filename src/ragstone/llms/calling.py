"""One call to a provider: under the limit, with a deadline, retried when that can help."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from ragstone.errors import ProviderError
from ragstone.llms.limits import Limiter, limiter_for
from ragstone.llms.provider import ChatReply, ChatRequest, Provider

__all__ = ["Caller", "Retries"]


@dataclass(frozen=True, slots=True)
class Retries:
    """When a failed call is tried again.

    `attempts` bounds the tries after server errors, `timeouts` those after a missed deadline,
    `refusals` those after a refused or broken connection. Rate limits and overload are waited out
    for `patience` seconds in all. Waits begin at `base` seconds, double up to `longest`, and are
    shortened at random by up to a half; a server's own Retry-After wins.
    """

    attempts: int = 4
    timeouts: int = 2
    refusals: int = 3
    patience: float = 600.0
    base: float = 0.5
    longest: float = 30.0

    def wait(self, error: ProviderError, tries: int, elapsed: float) -> float | None:
        """Seconds until the next try after `tries` failed ones; None when there is none."""
        if not error.retryable:
            return None
        wait = min(self.longest, self.base * 2 ** min(tries - 1, 60)) * random.uniform(0.5, 1.0)
        if error.retry_after is not None:
            wait = error.retry_after
        if error.kind in _CROWDED:
            return wait if elapsed + wait <= self.patience else None
        most = {"timeout": self.timeouts, "connection": self.refusals}.get(error.kind)
        return wait if tries < (most or self.attempts) and wait <= self.patience else None


_CROWDED = ("rate_limit", "overloaded")
_LEAST_AFTER_TIMEOUT = 4  # calls that hang must not make all others queue behind them


@dataclass(frozen=True)
class Caller:
    """Calls one provider; `deadline` is in seconds and holds for each try."""

    provider: Provider
    deadline: float
    retries: Retries = field(default_factory=Retries)
    limiter: Limiter = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "limiter", limiter_for(self.provider.limit_key))

    async def call(self, request: ChatRequest) -> ChatReply:
        """The reply. Raises ProviderError when trying again is no use, or was of none."""
        first, tries = time.monotonic(), 0
        while True:
            try:
                return await self._once(request)
            except ProviderError as error:
                tries += 1
                wait = self.retries.wait(error, tries, time.monotonic() - first)
                if wait is None:
                    raise _final(error, tries) from error
            await asyncio.sleep(wait)

    async def _once(self, request: ChatRequest) -> ChatReply:
        began = await self.limiter.acquire()
        try:
            async with asyncio.timeout(self.deadline):
                reply = await self.provider.complete(request)
        except TimeoutError:
            self.limiter.complained(began, least=_LEAST_AFTER_TIMEOUT)
            raise self._too_slow() from None
        except ProviderError as error:
            if error.kind in _CROWDED and error.retryable:
                pause = error.retry_after or 0.0
                self.limiter.complained(began, pause if pause <= self.retries.patience else None)
            raise
        finally:
            self.limiter.release()
        self.limiter.succeeded(began, self.deadline)
        return reply

    def _too_slow(self) -> ProviderError:
        who = f"{self.provider.name} at {self.provider.endpoint}"
        return ProviderError(
            f"{who} did not answer within {self.deadline:g} s; raise timeout=... or try later",
            provider=self.provider.name,
            kind="timeout",
            retryable=True,
        )


def _final(error: ProviderError, tries: int) -> ProviderError:
    """The error to end with: it says how often the call was tried, and what wait was too long."""
    said = []
    if tries > 1:
        said.append(f"tried {tries} times")
    if error.retryable and error.retry_after:
        said.append(f"the server asks to wait {error.retry_after:g} s")
    if not said:
        return error
    return ProviderError(
        f"{error} ({'; '.join(said)})",
        provider=error.provider,
        kind=error.kind,
        status=error.status,
        retryable=error.retryable,
        retry_after=error.retry_after,
    )

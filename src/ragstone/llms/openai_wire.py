"""The OpenAI-compatible chat protocol on aiohttp, the hot path of judging.

OpenAI, Azure OpenAI, Ollama, vLLM, the llama.cpp server, Groq, Mistral, Together, DeepSeek,
OpenRouter, Gemini's compatible endpoint and many more speak it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp
import pydantic_core

from ragstone.errors import ProviderError
from ragstone.llms.classify import (
    Problem,
    problem_in,
    redact,
    refused_status,
    retry_after,
    unreachable,
)
from ragstone.llms.dialect import Dialect
from ragstone.llms.per_loop import PerLoop
from ragstone.llms.provider import ChatReply, ChatRequest, Finish, Provider, Tokens

__all__ = ["OpenAIWire"]

MAX_REPLY_BYTES = 16 * 1024 * 1024
_MAX_ERROR_BYTES = 64 * 1024
_MAX_ADAPTATIONS = 8
_MOST_SAID = 300  # characters of a header that an error quotes


@dataclass(frozen=True, eq=False)
class OpenAIWire(Provider):
    """Asks a server that speaks the OpenAI-compatible chat protocol.

    `url` is where questions are posted; `headers` are sent along and hold the key; `extra` are
    further arguments of the request's body. What the server refuses to understand is remembered
    for the life of this object.
    """

    url: str = field(kw_only=True)
    headers: Mapping[str, str] = field(default_factory=dict, kw_only=True, repr=False)
    extra: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    _learned: list[Dialect] = field(default_factory=lambda: [Dialect()], init=False, repr=False)

    @property
    def dialect(self) -> Dialect:
        """What the server is known to accept by now."""
        return self._learned[-1]

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once; a server that refuses a parameter by name is asked again without it."""
        for _ in range(_MAX_ADAPTATIONS):
            used = self.dialect
            sent = used.body(self.model, request, self.extra)
            status, headers, body = await self._post(pydantic_core.to_json(sent))
            if status == 200:
                return self._reply(body, headers)
            if 300 <= status < 400:
                where = headers.get("Location", "another address")
                what = f"redirects to {where}; set base_url to where it leads"
                raise self._odd(what, headers, status)
            text = body.decode("utf-8", "replace")
            if status not in (400, 422) or not self._adapt(used, problem_in(text), sent):
                break
        raise refused_status(self, status, text, headers)

    def _adapt(self, used: Dialect, problem: Problem, sent: Mapping[str, Any]) -> bool:
        """Whether the question can be put differently now. Another call may have learned it."""
        if used is not self.dialect:
            return True
        if (better := used.after(problem, sent)) is None:
            return False
        self._learned.append(better)
        return True

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        session = await _SESSIONS.get()
        try:
            async with session.post(
                self.url, data=body, headers=self.headers, allow_redirects=False
            ) as reply:
                limit = MAX_REPLY_BYTES if reply.status == 200 else _MAX_ERROR_BYTES
                return reply.status, reply.headers, await self._read(reply, limit)
        except TimeoutError as error:
            raise unreachable(self, error, "timeout") from error
        except aiohttp.ClientError as error:
            raise unreachable(self, error) from error

    async def _read(self, reply: aiohttp.ClientResponse, limit: int) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in reply.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > limit:
                reply.close()
                if reply.status != 200:
                    break
                raise self._odd(f"sent a reply of more than {limit // 1024**2} MB", reply.headers)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _reply(self, body: bytes, headers: Mapping[str, str]) -> ChatReply:
        try:
            data = pydantic_core.from_json(body)
        except ValueError:
            kind = headers.get("Content-Type", "an unknown type")
            raise self._odd(f"sent {kind} that is no JSON; check base_url", headers) from None
        if isinstance(data, dict) and data.get("error"):
            problem = problem_in(body.decode("utf-8", "replace"))
            text = body.decode("utf-8", "replace")
            raise refused_status(self, problem.status or 500, text, headers)
        try:
            return _chat_reply(data)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._odd(
                "sent JSON that is no chat completion; check base_url", headers
            ) from None

    def _odd(self, what: str, headers: Mapping[str, str], status: int = 200) -> ProviderError:
        return ProviderError(
            f"{self.name} at {self.endpoint} {redact(what, self.key)[:_MOST_SAID]}",
            provider=self.name,
            kind="server",
            status=status,
            retry_after=retry_after(headers),
        )


def _session() -> aiohttp.ClientSession:
    """A session that keeps no cookies and reads no proxy from the environment."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=15),
        trust_env=False,
    )


# A session holds nothing of a provider: no key, no cookie. So each loop has one for all of them,
# which lives as long as the loop and not only as long as the judge that opened it.
_SESSIONS = PerLoop(_session)


def _chat_reply(data: Any) -> ChatReply:
    choice = data["choices"][0]
    message = choice["message"]
    if refusal := message.get("refusal"):
        text, finish = str(refusal), "refused"
    else:
        text, finish = _text(message["content"]), choice.get("finish_reason") or "stop"
    return ChatReply(
        text=text,
        finish=_FINISH.get(str(finish), "stop"),
        tokens=_tokens(data.get("usage")),
        model=str(data.get("model") or ""),
    )


def _text(content: Any) -> str:
    """The content as text; of a message in parts, those that are thoughts don't count."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is None:
        return ""
    if not isinstance(content, str):
        raise TypeError
    return content


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, Mapping):
        return None
    cached = _detail(usage, "prompt_tokens_details", "cached_tokens")
    counted = Tokens.reported(
        usage.get("prompt_tokens"),
        usage.get("completion_tokens"),
        cached or usage.get("prompt_cache_hit_tokens"),
        _detail(usage, "completion_tokens_details", "reasoning_tokens"),
    )
    whole = Tokens.reported(usage.get("total_tokens"), 0)
    if counted and whole and whole.input > counted.input + counted.output:
        return replace(counted, output=whole.input - counted.input)  # reasoning that was left out
    return counted


def _detail(usage: Mapping[str, Any], group: str, name: str) -> object:
    details = usage.get(group)
    return details.get(name) if isinstance(details, Mapping) else None


_FINISH: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refused",
    "refused": "refused",
    "safety": "refused",
}

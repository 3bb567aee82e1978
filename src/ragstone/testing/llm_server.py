"""A language model's server for tests and trials: the OpenAI-compatible protocol on 127.0.0.1.

    async with LLMServer() as server:
        judge = llm_factory("any-model", base_url=server.url, api_key="any")

By itself it answers every request for JSON plausibly from the schema: the first label of each
choice, one entry for each item. A script makes it answer, fail, hang or break in any other way.
`python -m ragstone.testing.llm_server --port 0` runs it as a process of its own.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

import pydantic_core
from aiohttp import web

from ragstone.errors import UsageError
from ragstone.testing.plausible import plausible_text

__all__ = ["Asked", "LLMServer", "Reply", "failure", "from_schema", "hang", "main", "reset"]


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it: its number from 0, its headers and its body."""

    number: int
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The system message."""
        return "\n".join(m["content"] for m in self.body["messages"] if m["role"] == "system")

    @property
    def user(self) -> str:
        """The last user message."""
        said = [m["content"] for m in self.body["messages"] if m["role"] == "user"]
        if not said or isinstance(said[-1], str):
            return said[-1] if said else ""
        return "\n".join(part["text"] for part in said[-1] if part["type"] == "text")

    @property
    def images(self) -> list[str]:
        """The addresses of the pictures in the user messages, data URIs as a rule."""
        said = [m["content"] for m in self.body["messages"] if m["role"] == "user"]
        parts = [part for content in said if isinstance(content, list) for part in content]
        return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema of the wanted reply, from the request or from the system message."""
        wanted = self.body.get("response_format") or {}
        if "json_schema" in wanted:
            schema: Mapping[str, Any] = wanted["json_schema"]["schema"]
            return schema
        return _schema_in(self.system)


@dataclass(frozen=True)
class Reply:
    """What the server sends back.

    With status 200 `text` is the model's message; else it is the error's message, with `code`.
    `body` replaces the whole HTTP body. `delay` is in seconds. `usage` None leaves the count out.
    `act` may be "hang" (never answer) or "reset" (cut the connection).
    """

    text: str = ""
    finish: str = "stop"
    status: int = 200
    code: str | None = None
    parameter: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    usage: Mapping[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    )
    refusal: str | None = None
    act: str | None = None


Script = Callable[[Asked], "Reply | str"]


def failure(
    status: int,
    message: str = "",
    *,
    code: str | None = None,
    parameter: str | None = None,
    retry_after: float | None = None,
) -> Reply:
    """A reply that refuses, as OpenAI words it."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    return Reply(message, status=status, code=code, parameter=parameter, headers=headers)


def hang() -> Reply:
    """No reply at all, ever."""
    return Reply(act="hang")


def reset() -> Reply:
    """The connection is cut."""
    return Reply(act="reset")


class LLMServer:
    """The server, as an asynchronous context.

    `script` is a function from a request to a reply, or replies given in turn (after the last one,
    the plausible answers). `latency` in seconds is added to each reply. With `key`, requests with
    another one get 401; with `models`, other models get 404. `url` is the base_url; `calls` counts
    all requests, and `requests` keeps them when `keep` is True. `most_at_once` is the highest
    number in flight.
    """

    def __init__(
        self,
        script: Script | Iterable[Reply | str] | None = None,
        *,
        latency: float = 0.0,
        key: str | None = None,
        models: Iterable[str] | None = None,
        port: int = 0,
        keep: bool = True,
    ) -> None:
        self.script: Script = script if callable(script) else _in_turn(script or ())
        self.latency, self.key, self.port, self.keep = latency, key, port, keep
        self.models = None if models is None else set(models)
        self.calls = self.most_at_once = self.at_once = 0
        self.requests: list[Asked] = []
        self._ending = asyncio.Event()
        self._runner: web.ServerRunner | None = None

    @property
    def url(self) -> str:
        """The base_url of the server."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> Self:
        self._ending = asyncio.Event()
        self._runner = web.ServerRunner(
            web.Server(self._handle), access_log=None, shutdown_timeout=1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ending.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if not request.path.endswith("/chat/completions"):
            return _error(failure(404, f"no such path: {request.path}"))
        body = pydantic_core.from_json(await request.read())
        asked = Asked(self.calls, dict(request.headers), body)
        self.calls += 1
        if self.keep:
            self.requests.append(asked)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._answer(request, asked)
        finally:
            self.at_once -= 1

    async def _answer(self, request: web.BaseRequest, asked: Asked) -> web.StreamResponse:
        reply = self._refused(asked) or self.script(asked)
        if isinstance(reply, str):
            reply = Reply(reply)
        if reply.act == "hang":
            await self._ending.wait()
        if reply.act and request.transport is not None:
            request.transport.abort()
        if wait := self.latency + reply.delay:
            await asyncio.sleep(wait)
        return _response(reply, str(asked.body.get("model")))

    def _refused(self, asked: Asked) -> Reply | None:
        given = asked.headers.get("Authorization", asked.headers.get("api-key", ""))
        if self.key is not None and given.removeprefix("Bearer ") != self.key:
            said = f"Incorrect API key provided: {given.removeprefix('Bearer ')}."
            return failure(401, said, code="invalid_api_key")
        model = asked.body.get("model")
        if self.models is not None and model not in self.models:
            return failure(404, f"The model `{model}` does not exist", code="model_not_found")
        return None


def _in_turn(replies: Iterable[Reply | str]) -> Script:
    left = iter(replies)

    def script(asked: Asked) -> Reply | str:
        found = next(left, None)
        return from_schema(asked) if found is None else found

    return script


def _response(reply: Reply, model: str) -> web.Response:
    if reply.body is not None:
        return web.Response(
            body=reply.body,
            status=reply.status,
            headers={"Content-Type": "application/json", **reply.headers},
        )
    if reply.status != 200:
        return _error(reply)
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    data: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
    }
    if reply.usage is not None:
        data["usage"] = reply.usage
    return web.Response(
        body=pydantic_core.to_json(data), content_type="application/json", headers=reply.headers
    )


def _error(reply: Reply) -> web.Response:
    problem = {"message": reply.text, "type": "error", "code": reply.code, "param": reply.parameter}
    return web.Response(
        body=pydantic_core.to_json({"error": problem}),
        status=reply.status,
        content_type="application/json",
        headers=reply.headers,
    )


# ---- plausible answers ----

_ITEM = re.compile(r"^\[\[begin item (\S+) \S+\]\]$", re.MULTILINE)


def from_schema(asked: Asked) -> Reply:
    """A plausible answer: the first label of each choice, one entry for each item asked about."""
    schema = asked.schema
    if schema is None:
        return Reply("Yes.")
    ids = tuple(_ITEM.findall(asked.user))
    return Reply(plausible_text(pydantic_core.to_json(schema).decode(), ids))


@lru_cache(maxsize=64)
def _schema_in(text: str) -> Mapping[str, Any] | None:
    """The first JSON Schema that stands in a text, one to a line."""
    for line in text.splitlines():
        if line.startswith("{") and '"properties"' in line:
            found: Mapping[str, Any] = pydantic_core.from_json(line)
            return found
    return None


# ---- as a process of its own ----


async def _serve(port: int, latency: float) -> None:
    parent = os.getppid()
    async with LLMServer(port=port, latency=latency, keep=False) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        while os.getppid() == parent:
            await asyncio.sleep(0.5)


def main(arguments: list[str] | None = None) -> None:
    """Serve until the process that started this one ends; prints the base_url first."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m ragstone.testing.llm_server")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    options = parser.parse_args(arguments)
    if options.latency < 0:
        raise UsageError(f"--latency must not be negative, not {options.latency!r}")
    asyncio.run(_serve(options.port, options.latency))


if __name__ == "__main__":
    main()

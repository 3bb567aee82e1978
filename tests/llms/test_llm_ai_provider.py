"""Other protocols through pydantic-ai: its own public test models, and Anthropic's real client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import pytest
from aiohttp import web
from judge_questions import FAST, VERDICT, Text
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from ragstone.errors import ProviderError, Unscored, UsageError
from ragstone.llms.ai_provider import AIProvider
from ragstone.llms.factory import llm_factory
from ragstone.llms.judge import LLMJudge
from ragstone.tools.recording import recording

ASK = Text(text="Is water wet?")


def judge_with(model: Any) -> LLMJudge:
    provider = AIProvider("test", "test", "m", opening=lambda: model, key="the-secret-key")
    return LLMJudge(provider, retries=FAST, timeout=10)


async def test_the_form_goes_as_a_tool_where_that_is_the_best_means():
    model = TestModel(custom_output_args={"verdict": "yes", "reason": "r"})
    assert (await judge_with(model).ask(VERDICT, ASK)).reason == "r"
    sent = model.last_model_request_parameters
    assert sent.output_mode == "tool"
    assert sent.output_tools[0].name == "test_Verdict"


async def test_text_and_usage_come_back():
    def answer(messages, info):
        usage = RequestUsage(input_tokens=11, output_tokens=7, cache_read_tokens=3)
        call = ToolCallPart("test_Verdict", {"verdict": "no"})
        return ModelResponse(parts=[call], usage=usage)

    with recording() as calls:
        assert (await judge_with(FunctionModel(answer)).ask(VERDICT, ASK)).verdict == "no"
    assert (calls[0].usage.input_tokens, calls[0].usage.output_tokens) == (11, 7)


async def test_broken_text_is_mended_or_asked_for_again_here_too():
    heard: list[int] = []

    def answer(messages, info):
        heard.append(len(messages))
        return ModelResponse(parts=[TextPart("Hm." if len(heard) == 1 else "{'verdict': 'yes'}")])

    assert (await judge_with(FunctionModel(answer)).ask(VERDICT, ASK)).verdict == "yes"
    assert heard == [1, 3]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ModelHTTPError(401, "m", {"error": {"message": "bad the-secret-key"}}), "authentication"),
        (ModelHTTPError(404, "m", None), "unknown_model"),
        (ModelHTTPError(400, "m", {"error": {"message": "bad"}}), "bad_request"),
        (ModelHTTPError(500, "m", None), "server"),
        (ModelRateLimitError("m", "slow", retry_after=9999.0), "rate_limit"),
        (ModelTimeoutError("m", "late"), "timeout"),
        (ModelConnectionError("m", "no way"), "connection"),
        (ModelAPIError("m", "odd"), "server"),
        (UnexpectedModelBehavior("odd"), "server"),
    ],
)
async def test_its_errors_are_ours(error, kind):
    def answer(messages, info):
        raise error

    with pytest.raises(ProviderError) as caught:
        await judge_with(FunctionModel(answer)).ask(VERDICT, ASK)
    assert caught.value.kind == kind
    assert "the-secret-key" not in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_its_refusals_and_misuse_are_ours():
    def refuse(messages, info):
        raise ContentFilterError("blocked")

    def misuse(messages, info):
        raise UserError("wrong set-up")

    with pytest.raises(Unscored, match="judge_refused"):
        await judge_with(FunctionModel(refuse)).ask(VERDICT, ASK)
    with pytest.raises(UsageError, match="wrong set-up"):
        await judge_with(FunctionModel(misuse)).ask(VERDICT, ASK)


# ---- Anthropic's real client, against a server of its protocol ----


def message(text: str, stop: str = "end_turn") -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "usage": {"input_tokens": 12, "output_tokens": 5},
    }


@asynccontextmanager
async def anthropic_server(
    script: Callable[[int, dict[str, Any]], tuple[int, dict[str, Any]]],
) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
    asked: list[dict[str, Any]] = []

    async def handle(request: web.BaseRequest) -> web.Response:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        key = request.headers.get("x-api-key", bearer)  # versions of the client differ
        asked.append(json.loads(await request.read()) | {"_key": key})
        status, body = script(len(asked), asked[-1])
        headers = {"retry-after": "0.05"} if status == 429 else {}
        return web.json_response(body, status=status, headers=headers)

    runner = web.ServerRunner(web.Server(handle), shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", asked
    finally:
        await runner.cleanup()


def fails(status: int, kind: str, said: str) -> tuple[int, dict[str, Any]]:
    return status, {"type": "error", "error": {"type": kind, "message": said}}


async def test_anthropic_answers_through_its_real_client():
    async with anthropic_server(lambda n, _: (200, message('{"verdict": "yes"}'))) as (url, asked):
        judge = llm_factory("anthropic/claude-haiku-4-5", base_url=url, api_key="k-ant")
        with recording() as calls:
            assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
        await judge.aclose()
    assert asked[0]["_key"] == "k-ant"
    assert asked[0]["max_tokens"] == 4096
    assert "Judge the text." in json.dumps(asked[0]["system"])
    assert (calls[0].usage.input_tokens, calls[0].usage.output_tokens) == (12, 5)


async def test_anthropic_with_the_users_own_client_in_two_loops():
    async with anthropic_server(lambda n, _: (200, message('{"verdict": "yes"}'))) as (url, asked):
        client = anthropic.AsyncAnthropic(api_key="k-own", base_url=url)
        judge = llm_factory("claude-haiku-4-5", client=client)
        assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
        other = Text(text="another loop")
        answer = await asyncio.to_thread(lambda: asyncio.run(judge.ask(VERDICT, other)))
        assert answer.verdict == "yes"
        await judge.aclose()
        await client.close()
    assert [a["_key"] for a in asked] == ["k-own", "k-own"]
    with anthropic.Anthropic(api_key="k", base_url=url) as sync:
        assert llm_factory("claude-haiku-4-5", client=sync).describe().settings["endpoint"] == url


async def test_anthropic_errors_are_classified_and_retried_by_us_alone():
    def script(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if number < 3:
            return fails(429, "rate_limit_error", "slow down")
        return 200, message('{"verdict": "no"}')

    async with anthropic_server(script) as (url, asked):
        judge = llm_factory("anthropic/claude-haiku-4-5", base_url=url, api_key="k")
        assert (await judge.ask(VERDICT, ASK)).verdict == "no"
        await judge.aclose()
    assert len(asked) == 3

    def refuse(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return fails(401, "authentication_error", "invalid x-api-key")

    async with anthropic_server(refuse) as (url, asked):
        judge = llm_factory("anthropic/claude-haiku-4-5", base_url=url, api_key="k-bad")
        with pytest.raises(ProviderError, match="set ANTHROPIC_API_KEY or pass api_key"):
            await judge.ask(VERDICT, ASK)
        await judge.aclose()
    assert len(asked) == 1


async def test_anthropic_models_without_a_temperature_are_asked_without_it():
    def script(number: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if "temperature" in body:
            said = "temperature is not supported with this model"
            return fails(400, "invalid_request_error", said)
        return 200, message('{"verdict": "yes"}')

    async with anthropic_server(script) as (url, asked):
        judge = llm_factory("anthropic/claude-haiku-4-5", base_url=url, api_key="k")
        await judge.ask(VERDICT, ASK)
        await judge.ask(VERDICT, Text(text="another"))
        await judge.aclose()
    assert ["temperature" in body for body in asked] == [True, False, False]


async def test_anthropic_truncation_and_refusal_are_told():
    cut = message('{"verdict": "y', stop="max_tokens")
    async with anthropic_server(lambda n, _: (200, cut)) as (url, _):
        judge = llm_factory("anthropic/claude-haiku-4-5", base_url=url, api_key="k", max_tokens=10)
        with pytest.raises(Unscored, match="truncated at 20 tokens"):
            await judge.ask(VERDICT, ASK)
        await judge.aclose()
    refusal = message("", stop="refusal") | {"content": []}
    async with anthropic_server(lambda n, _: (200, refusal)) as (url, _):
        judge = llm_factory("anthropic/claude-haiku-4-5", base_url=url, api_key="k")
        with pytest.raises(Unscored, match="judge_refused"):
            await judge.ask(VERDICT, ASK)
        await judge.aclose()

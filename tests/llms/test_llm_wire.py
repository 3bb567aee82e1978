from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from judge_questions import VERDICT, YES, Text
from pydantic import BaseModel

from ragstone.errors import ProviderError
from ragstone.llms.classify import problem_in, redact, retry_after
from ragstone.llms.forms import OutputForm
from ragstone.testing.llm_server import Reply, failure

ASK = Text(text="Is water wet?")


def forms(server) -> list[str]:
    asked = [r.body.get("response_format") for r in server.requests]
    return [
        "none" if f is None else f["type"] + ("!" if f.get("json_schema", {}).get("strict") else "")
        for f in asked
    ]


async def test_a_server_without_json_schema_is_asked_for_json_and_remembered(serve):
    def script(asked):
        wanted = (asked.body.get("response_format") or {}).get("type")
        if wanted == "json_schema":
            return failure(400, "response_format type 'json_schema' is not supported")
        return YES

    judge, server = await serve(script)
    await judge.ask(VERDICT, ASK)
    await judge.ask(VERDICT, Text(text="another"))
    assert forms(server) == ["json_schema!", "json_schema", "json_object", "json_object"]


async def test_a_server_that_knows_no_response_format_is_only_told(serve):
    def script(asked):
        if "response_format" in asked.body:
            return failure(422, "Extra inputs are not permitted", parameter="response_format")
        return YES

    judge, server = await serve(script)
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert forms(server)[-1] == "none"
    assert '"enum":["yes","no"]' in server.requests[-1].system


async def test_a_reasoning_model_gets_its_own_parameters(serve):
    def script(asked):
        if "max_tokens" in asked.body:
            return failure(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                code="unsupported_parameter",
                parameter="max_tokens",
            )
        if asked.body.get("temperature") is not None:
            return failure(
                400,
                "Unsupported value: 'temperature' does not support 0.0 with this model. Only the "
                "default (1) value is supported.",
                code="unsupported_value",
                parameter="temperature",
            )
        return YES

    judge, server = await serve(script)
    await judge.ask(VERDICT, ASK)
    await judge.ask(VERDICT, Text(text="another"))
    assert server.calls == 4
    assert server.requests[-1].body["max_completion_tokens"] == 4096
    assert "temperature" not in server.requests[-1].body


async def test_a_wrong_value_is_not_silently_dropped(serve):
    said = "Invalid 'temperature': decimal above maximum value. Expected a value <= 2"
    judge, server = await serve(
        lambda _: failure(400, said, code="decimal_above_max_value", parameter="temperature"),
        judge={"temperature": 5.0},
    )
    with pytest.raises(ProviderError, match="decimal above maximum") as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.kind == "bad_request"
    assert server.calls == 1


async def test_a_server_that_refuses_everything_ends(serve):
    judge, server = await serve(lambda _: failure(400, "response_format max_tokens unsupported"))
    with pytest.raises(ProviderError):
        await judge.ask(VERDICT, ASK)
    assert server.calls <= 8


async def test_many_calls_at_once_learn_one_lesson(serve):
    import asyncio

    def script(asked):
        wanted = asked.body["response_format"]
        if wanted["type"] == "json_schema" and wanted["json_schema"]["strict"]:
            return Reply(
                "strict json_schema is unsupported", status=400, delay=0.02 * (asked.number % 3)
            )
        return YES

    judge, server = await serve(script)
    await asyncio.gather(*(judge.ask(VERDICT, Text(text=f"q{n}")) for n in range(12)))
    assert set(forms(server)) == {"json_schema!", "json_schema"}


async def test_content_in_parts_is_read_without_the_thoughts(serve):
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": YES}]
    body = json.dumps({"choices": [{"message": {"content": parts}}]}).encode()
    judge, _ = await serve([Reply(body=body)])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"


def test_the_strict_schema_closes_objects_and_keeps_names():
    class Inner(BaseModel):
        title: str
        default: int = 3

    class Outer(BaseModel):
        inner: list[Inner]
        note: str | None = None

    schema: Any = OutputForm("x", Outer.model_json_schema()).strict_schema
    assert schema["required"] == ["inner", "note"]
    assert schema["additionalProperties"] is False
    inner = schema["$defs"]["Inner"]
    assert inner["properties"] == {"title": {"type": "string"}, "default": {"type": "integer"}}
    assert inner["required"] == ["title", "default"]


def test_a_form_with_free_keys_has_no_strict_schema():
    class Free(BaseModel):
        counts: dict[str, int]

    assert OutputForm("x", Free.model_json_schema()).strict_schema is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": {"message": "m", "code": "c"}}', "m"),
        ('{"error": "m"}', "m"),
        ('{"detail": "m"}', "m"),
        ('{"detail": [{"loc": ["body", "seed"], "msg": "m"}]}', "m"),
        ('{"object": "error", "message": "m", "code": 400}', "m"),
        ('[{"error": {"message": "m", "status": "INVALID_ARGUMENT"}}]', "m"),
        ("<html><body>m</body></html>", "m"),
        ("", ""),
        ("null", "None"),
        ('{"error": null}', ""),
        ('{"message": {"detail": "m"}}', "m"),
    ],
)
def test_every_dialect_of_an_error_is_read(body, message):
    assert problem_in(body).message == message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "1" * 400}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_or_ignored(headers, seconds):
    assert retry_after(headers) == seconds


def test_what_looks_like_a_key_is_hidden():
    assert redact("key sk-abcdefghij and mine", "mine") == "key [key] and [key]"
    assert redact("the risk-free ask", None) == "the risk-free ask"


def test_a_session_leaves_no_warning_behind():
    program = """
import asyncio, gc
from judge_questions import VERDICT, YES, Text
from ragstone import bridge
from ragstone.llms import llm_factory
from ragstone.testing.llm_server import LLMServer

judges = []

async def here():
    async with LLMServer(lambda _: YES) as server:
        judge = llm_factory("m", base_url=server.url)
        judges.append(judge)
        await judge.ask(VERDICT, Text(text="here"))

async def there():
    server = await LLMServer(lambda _: YES).__aenter__()
    judge = llm_factory("m", base_url=server.url)
    judges.append(judge)
    await judge.ask(VERDICT, Text(text="there"))

asyncio.run(here())
bridge.run(there())
print(len(judges))
judges.clear()  # the judges go before the loop does
gc.collect()
"""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        timeout=60,
        check=False,
    )
    assert ended.stdout == "2\n", ended.stderr
    assert ended.stderr == ""

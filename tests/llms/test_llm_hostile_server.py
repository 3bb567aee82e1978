"""A server that lies: keys that it echoes, tokens that it invents, errors of any shape."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from judge_questions import VERDICT, YES, Text

from ragstone.errors import BadReply, ProviderError, Unscored
from ragstone.llms.classify import problem_in, refused_status, retry_after
from ragstone.llms.dialect import Dialect
from ragstone.llms.factory import make_provider
from ragstone.llms.openai_wire import OpenAIWire
from ragstone.llms.provider import ChatReply, Tokens
from ragstone.testing.llm_server import Reply, failure
from ragstone.tools.recording import recording

ASK = Text(text="Is water wet?")
KEY = "hidden/Key+" + "5" * 20


def wire() -> OpenAIWire:
    made = make_provider("own", "m", "http://127.0.0.1:9/v1", KEY, {})
    assert isinstance(made, OpenAIWire)
    return made


# ---- the key ----


@pytest.mark.parametrize("shown", [KEY, quote(KEY, safe="")])
async def test_a_key_in_a_redirect_is_not_shown(serve, shown):
    away = Reply("moved", status=307, headers={"Location": f"http://127.0.0.1/x?k={shown}"})
    judge, _ = await serve(lambda _: away, judge={"api_key": KEY})
    with pytest.raises(ProviderError, match=r"redirects to .*\?k=\[key\]; set base_url") as caught:
        await judge.ask(VERDICT, ASK)
    assert shown not in str(caught.value)


def test_a_key_in_a_content_type_is_not_shown():
    with pytest.raises(ProviderError, match=r"sent text/\[key\] that is no JSON") as caught:
        wire()._reply(b"<html>", {"Content-Type": f"text/{KEY}"})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("before", range(960, 1010, 7))
def test_a_key_at_the_cut_of_a_long_message_leaves_no_part_of_it(before):
    body = json.dumps({"error": {"message": "x" * before + KEY}})
    assert "hidden" not in str(refused_status(wire(), 400, body))


async def test_a_reason_that_holds_the_key_is_recorded_without_it(serve):
    told = json.dumps({"verdict": "yes", "reason": f"the key is {KEY}"})
    judge, _ = await serve([f"```json\n{told}\n```"], judge={"api_key": KEY})
    with recording() as calls:
        answer = await judge.ask(VERDICT, ASK)
    assert answer.reason == "the key is [key]"
    assert calls[0].raw is not None
    assert KEY not in repr(calls)


async def test_a_bad_reply_or_refusal_that_holds_the_key_is_kept_without_it(serve):
    judge, _ = await serve([f"{KEY}, no", f"{KEY}, no"], judge={"api_key": KEY})
    with recording() as calls, pytest.raises(BadReply) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.raw == calls[0].raw == "[key], no"
    other, _ = await serve([Reply(refusal=f"I saw {KEY}")], judge={"api_key": KEY})
    with recording() as calls, pytest.raises(Unscored, match=r"I saw \[key\]"):
        await other.ask(VERDICT, ASK)
    assert KEY not in repr(calls)


async def test_a_word_in_place_of_a_key_does_not_change_answers(serve):
    judge, _ = await serve([YES], judge={"api_key": "yes"})
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"


# ---- the tokens ----

LIES = [-1, -(10**30), 10**30, 2**53 + 1, 1.5, 100.0, "100", True, None, [1], {"n": 1}]


@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens"])
@pytest.mark.parametrize("lie", LIES)
async def test_a_count_that_cannot_be_is_estimated_and_the_answer_stands(serve, field, lie):
    usage = {"prompt_tokens": 100, "completion_tokens": 20} | {field: lie}
    judge, server = await serve([Reply(YES, usage=usage)])
    with recording() as calls:
        assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    used = calls[0].usage
    assert server.calls == used.calls == 1
    assert used.estimated
    assert 0 < used.input_tokens < 10_000
    assert 0 < used.output_tokens < 100


@pytest.mark.parametrize(
    "lie",
    [
        {"prompt_tokens_details": [1]},
        {"prompt_tokens_details": "many"},
        {"prompt_tokens_details": {"cached_tokens": -7}},
        {"prompt_tokens_details": {"cached_tokens": "7"}},
        {"prompt_cache_hit_tokens": [7]},
        {"completion_tokens_details": 5},
        {"completion_tokens_details": {"reasoning_tokens": 10**30}},
        {"total_tokens": 10**30},
        {"total_tokens": "200"},
        {"total_tokens": -200},
    ],
)
def test_a_detail_that_cannot_be_is_left_out(lie):
    usage = {"prompt_tokens": 100, "completion_tokens": 20} | lie
    assert _read(usage).tokens == Tokens(100, 20)


def test_details_within_the_count_are_kept():
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 15},
    }
    assert _read(usage).tokens == Tokens(100, 50, 100, 15)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(JSON, JSON, JSON, JSON)
def test_no_usage_of_any_shape_discards_an_answer(told, answered, details, whole):
    usage = {
        "prompt_tokens": told,
        "completion_tokens": answered,
        "prompt_tokens_details": details,
        "completion_tokens_details": details,
        "total_tokens": whole,
    }
    for shape in (usage, whole):
        reply = _read(shape, finish=details)
        assert reply.text == YES
        if (tokens := reply.tokens) is not None:
            assert 0 <= tokens.cached_input <= tokens.input <= 2**53
            assert 0 <= tokens.reasoning <= tokens.output <= 2**53


def _read(usage: Any, finish: Any = "stop") -> ChatReply:
    choice = {"message": {"content": YES}, "finish_reason": finish}
    return wire()._reply(json.dumps({"choices": [choice], "usage": usage}).encode(), {})


# ---- errors of any shape ----

NAMES = [
    "error",
    "message",
    "detail",
    "code",
    "status",
    "type",
    "param",
    "loc",
    "msg",
    "retryDelay",
]
BODIES = st.recursive(
    JSON | st.sampled_from(["1.2.3s", "9" * 400 + "s", "max_tokens", "unsupported", "NaN"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=12,
)


@given(BODIES, st.integers(100, 999), st.text(max_size=30))
@example({"detail": [{"loc": 5}]}, 422, "")
@example({"detail": [{"loc": {"a": 1}}, {"loc": []}]}, 422, "")
@example({"error": {"details": [{"retryDelay": "1.2.3s"}]}}, 429, "1.2.3")
@example({"error": {"details": [{"retryDelay": "9" * 400 + "s"}]}}, 429, "9" * 400)
@example({"message": int("9" * 4000)}, 500, "Mon, 99 Foo 0000 99:99:99 +9999")
def test_no_error_of_any_shape_breaks_its_own_reading(body, status, waits):
    text = json.dumps(body)
    found = refused_status(wire(), status, text, {"retry-after": waits})
    assert isinstance(found, ProviderError)
    assert found.retry_after is None or 0 <= found.retry_after < float("inf")
    Dialect().after(problem_in(text), {"max_tokens": 1, "seed": 1, "response_format": {}})


@given(st.text(max_size=200))
def test_no_text_of_any_shape_breaks_the_reading_of_an_error(text):
    assert isinstance(refused_status(wire(), 400, text, {}), ProviderError)
    assert (wait := retry_after({"retry-after": text})) is None or wait >= 0


@given(BODIES | st.fixed_dictionaries({"choices": st.lists(JSON, max_size=2)}))
def test_no_body_of_any_shape_raises_another_error(body):
    try:
        reply = wire()._reply(json.dumps(body).encode(), {})
    except ProviderError:
        return
    assert isinstance(reply, ChatReply)


@pytest.mark.parametrize("status", [422, 429])
async def test_hostile_errors_end_as_errors_of_the_provider(serve, status):
    bodies = {
        422: b'{"detail":[{"loc":5}]}',
        429: b'{"error":{"code":"insufficient_quota","details":[{"retryDelay":"1.2.3s"}]}}',
    }
    judge, _ = await serve(lambda _: Reply(status=status, body=bodies[status]))
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.status == status


async def test_a_delay_in_the_body_is_still_read(serve):
    body = b'{"error":{"code":429,"details":[{"retryDelay":"0.05s"}]}}'
    judge, server = await serve([Reply(status=429, body=body), failure(429), YES])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert problem_in(body.decode()).retry_after == 0.05
    assert server.calls == 3

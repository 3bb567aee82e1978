"""What a server does wrong, and what comes of it: one clear sentence, or an answer after all."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest
from judge_questions import FAST, VERDICT, YES, Text

from ragstone.errors import BadReply, ProviderError, Unscored
from ragstone.llms.calling import Retries
from ragstone.llms.factory import llm_factory
from ragstone.llms.judge import LLMJudge
from ragstone.testing.llm_server import Reply, failure, hang, reset
from ragstone.tools.recording import recording

ASK = Text(text="Is water wet?")


def one_sentence(error: Exception) -> str:
    text = str(error)
    assert "\n" not in text
    assert len(text) < 400
    return text


async def test_T67_a_wrong_key_fails_at_once_and_is_never_shown(serve):
    key = "sk-" + "wrong" * 8
    judge, server = await serve(key="the-right-one", judge={"api_key": key})
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    said = one_sentence(caught.value)
    assert caught.value.kind == "authentication"
    assert not caught.value.retryable
    assert server.calls == 1
    assert server.url in said
    assert "set OPENAI_API_KEY or pass api_key=" in said
    assert key not in said
    assert "wrong" not in said
    assert key not in repr(judge) + repr(judge.provider) + repr(judge.describe())


async def test_an_unknown_model_fails_at_once_and_is_named(serve):
    judge, server = await serve(models=["judge-9"])
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.kind == "unknown_model"
    assert server.calls == 1
    assert "knows no model 'judge-1'" in one_sentence(caught.value)


async def test_a_refused_connection_is_tried_briefly_and_says_so():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = llm_factory("m", base_url=f"http://127.0.0.1:{port}/v1")
    judge = LLMJudge(made.provider, retries=FAST)
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    said = one_sentence(caught.value)
    assert caught.value.kind == "connection"
    assert "connection refused; start the server or check base_url" in said
    assert "(tried 3 times)" in said


async def test_a_storm_of_429_is_waited_out_as_long_as_the_server_asks(serve):
    storm = [failure(429, "Rate limit reached", retry_after=0.3)] * 5
    judge, server = await serve(storm + [YES] * 5)
    began = time.monotonic()
    answers = await asyncio.gather(
        *(judge.ask(VERDICT, Text(text=f"question {n}")) for n in range(5))
    )
    assert [a.verdict for a in answers] == ["yes"] * 5
    assert server.calls == 10
    assert time.monotonic() - began >= 0.3


async def test_a_retry_after_stops_every_call_to_the_endpoint(serve):
    times: list[float] = []

    def script(asked):
        times.append(time.monotonic())
        return failure(429, "slow down", retry_after=0.4) if asked.number == 0 else YES

    judge, _ = await serve(script)
    first = asyncio.create_task(judge.ask(VERDICT, Text(text="first")))
    while not times:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    await asyncio.gather(first, *(judge.ask(VERDICT, Text(text=f"{n}")) for n in range(8)))
    assert min(times[1:]) - times[0] >= 0.38


async def test_a_storm_that_does_not_end_fails_with_the_wait_it_asks_for(serve):
    judge, server = await serve(lambda _: failure(429, "Too many requests", retry_after=3600))
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.kind == "rate_limit"
    assert server.calls == 1
    assert "the server asks to wait 3600 s" in one_sentence(caught.value)


async def test_a_spent_quota_is_not_retried(serve):
    judge, server = await serve(
        lambda _: failure(429, "You exceeded your current quota", code="insufficient_quota")
    )
    with pytest.raises(ProviderError, match="has no quota left"):
        await judge.ask(VERDICT, ASK)
    assert server.calls == 1


async def test_T72_a_server_that_hangs_meets_the_deadline(serve):
    judge, server = await serve(lambda _: hang(), judge={"timeout": 0.2})
    began = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    assert time.monotonic() - began < 5
    assert caught.value.kind == "timeout"
    assert server.calls == 2
    assert "did not answer within 0.2 s" in one_sentence(caught.value)


async def test_T63_hung_calls_do_not_keep_the_places_of_others(serve):
    def script(asked):
        return hang() if "hang" in asked.user else YES

    judge, _ = await serve(script, judge={"timeout": 0.3})
    hung = [judge.ask(VERDICT, Text(text=f"hang {n}")) for n in range(40)]
    fine = [judge.ask(VERDICT, Text(text=f"fine {n}")) for n in range(40)]
    ends = await asyncio.gather(*hung, *fine, return_exceptions=True)
    assert all(isinstance(end, ProviderError) for end in ends[:40])
    assert [end.verdict for end in ends[40:]] == ["yes"] * 40


async def test_a_reset_connection_is_retried(serve):
    judge, server = await serve([reset(), YES])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert server.calls == 2


async def test_a_server_error_is_retried_and_then_told(serve):
    judge, server = await serve(lambda _: failure(500, "boom"))
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    assert server.calls == 4
    assert "failed (HTTP 500: boom); run again later (tried 4 times)" in one_sentence(caught.value)


@pytest.mark.parametrize("status", [503, 529])
async def test_overload_is_waited_out(serve, status):
    judge, server = await serve([failure(status, "overloaded")] * 3 + [YES])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert server.calls == 4


async def test_T38_a_truncated_reply_is_asked_for_once_more_with_twice_the_room(serve):
    cut = Reply('{"verdict": "yes", "reason": "it', finish="length")
    judge, server = await serve([cut, YES], judge={"max_tokens": 50})
    assert (await judge.ask(VERDICT, ASK)).reason == "it is"
    assert [r.body["max_tokens"] for r in server.requests] == [50, 100]


async def test_T38_a_reply_that_stays_truncated_is_unscored_and_says_where(serve):
    cut = Reply('{"verdict": "yes", "reason": "it', finish="length")
    judge, server = await serve(lambda _: cut, judge={"max_tokens": 50})
    with pytest.raises(Unscored, match="truncated at 100 tokens") as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.code == "truncated"
    assert server.calls == 2


async def test_a_whole_reply_that_met_the_limit_is_an_answer(serve):
    judge, server = await serve([Reply(YES + "\n" * 50, finish="length")])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert server.calls == 1


@pytest.mark.parametrize(
    "refusal",
    [
        Reply(refusal="I cannot help with that."),
        Reply("", finish="content_filter"),
        failure(400, "The response was filtered", code="content_filter"),
    ],
)
async def test_T89_a_refusal_of_the_judge_is_unscored(serve, refusal):
    judge, server = await serve(lambda _: refusal)
    with pytest.raises(Unscored) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.code == "judge_refused"
    assert server.calls == 1


async def test_data_longer_than_the_model_reads_are_unscored(serve):
    judge, _ = await serve(
        lambda _: failure(400, "maximum context length is 8192", code="context_length_exceeded")
    )
    with pytest.raises(Unscored) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.code == "too_long"


async def test_T19_broken_json_is_asked_for_once_more_with_the_error_quoted(serve):
    judge, server = await serve(['{"verdict": "maybe"}', YES])
    with recording() as calls:
        assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    again = server.requests[1].body["messages"]
    assert [m["role"] for m in again] == ["system", "user", "assistant", "user"]
    assert again[2]["content"] == '{"verdict": "maybe"}'
    assert "verdict: Input should be 'yes' or 'no'" in again[3]["content"]
    assert calls[0].usage.calls == 2
    assert calls[0].usage.input_tokens == 200


async def test_broken_json_twice_is_a_bad_reply_that_keeps_the_text(serve):
    judge, server = await serve(lambda _: "I would rather not say.")
    with recording() as calls, pytest.raises(BadReply) as caught:
        await judge.ask(VERDICT, ASK)
    assert caught.value.raw == "I would rather not say."
    assert "gave no usable reply, asked twice" in one_sentence(caught.value)
    assert server.calls == 2
    assert calls[0].output is None
    assert calls[0].raw == "I would rather not say."
    assert calls[0].usage.calls == 2


async def test_an_empty_reply_is_asked_for_once_more(serve):
    judge, server = await serve(["", YES])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert [m["role"] for m in server.requests[1].body["messages"]] == ["system", "user"]


async def test_a_repaired_reply_keeps_its_text(serve):
    judge, server = await serve(["```json\n" + YES + "\n```"])
    with recording() as calls:
        await judge.ask(VERDICT, ASK)
    assert calls[0].raw == "```json\n" + YES + "\n```"
    assert calls[0].output == {"verdict": "yes", "reason": "it is"}
    assert server.calls == 1


@pytest.mark.parametrize(
    "body",
    [
        b'{"temperature": 0.3, "top_p": 0.5, "usage": {"total_tokens": 4}}',
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": 4}}]}',
        b"[1, 2, 3]",
        b"<html>hello</html>",
        b"",
    ],
)
async def test_T23_an_unknown_shape_is_an_error_and_no_answer(serve, body):
    judge, _ = await serve(lambda _: Reply(body=body))
    with pytest.raises(ProviderError, match="check base_url") as caught:
        await judge.ask(VERDICT, ASK)
    one_sentence(caught.value)


async def test_an_error_inside_a_200_is_an_error(serve):
    body = b'{"error": {"message": "Provider returned error", "code": 502}}'
    judge, server = await serve([Reply(body=body), YES])
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert server.calls == 2


async def test_a_reply_without_end_is_not_read_to_its_end(serve, monkeypatch):
    monkeypatch.setattr("ragstone.llms.openai_wire.MAX_REPLY_BYTES", 1024**2)
    judge, _ = await serve(lambda _: Reply(body=b"x" * 3 * 1024**2))
    with pytest.raises(ProviderError, match="more than 1 MB"):
        await judge.ask(VERDICT, ASK)


async def test_a_redirect_is_not_followed_so_that_the_key_stays(serve):
    _, elsewhere = await serve()
    away = Reply("moved", status=307, headers={"Location": elsewhere.url + "/chat/completions"})
    judge, _ = await serve(lambda _: away)
    with pytest.raises(ProviderError, match=r"redirects to .* set base_url to where it leads"):
        await judge.ask(VERDICT, ASK)
    assert elsewhere.calls == 0


async def test_a_key_echoed_by_the_server_is_not_shown(serve):
    key = "plainkey" + "7" * 20
    judge, _ = await serve(
        lambda _: failure(400, f"bad header Bearer {key} given"), judge={"api_key": key}
    )
    with pytest.raises(ProviderError) as caught:
        await judge.ask(VERDICT, ASK)
    assert key not in str(caught.value)
    assert "[key]" in str(caught.value)


def test_waits_grow_and_end():
    retries = Retries()
    crowded = ProviderError("x", provider="p", kind="rate_limit", retryable=True)
    waits = [retries.wait(crowded, n, 0.0) for n in range(1, 12)]
    assert all(0 < wait <= 30 for wait in waits)
    assert retries.wait(crowded, 3, 599.9) is None
    broken = ProviderError("x", provider="p", kind="server", retryable=True)
    assert retries.wait(broken, 3, 0.0) is not None
    assert retries.wait(broken, 4, 0.0) is None
    final = ProviderError("x", provider="p", kind="authentication")
    assert retries.wait(final, 1, 0.0) is None

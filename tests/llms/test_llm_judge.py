from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest
import uvloop
from judge_questions import ITEMS, VERDICT, YES, Text, Verdict, judge_at, prompt

from ragstone import bridge
from ragstone.cache import CacheInterface, DiskCacheBackend, MemoryCache
from ragstone.errors import JudgeError, ProviderError, Unscored, UsageError
from ragstone.llms.judge import LLMJudge
from ragstone.llms.provider import ChatReply, Provider
from ragstone.llms.usage import estimate_tokens, price_of
from ragstone.testing.llm_server import LLMServer, Reply, failure
from ragstone.tools.recording import recording

ASK = Text(text="Is water wet?")


async def test_an_answer_is_typed_and_recorded(serve):
    judge, server = await serve([YES])
    with recording() as calls:
        answer = await judge.ask(VERDICT, ASK)
    assert answer == Verdict(verdict="yes", reason="it is")
    assert len(calls) == 1
    call = calls[0]
    assert (call.prompt, call.judge, call.cached) == ("test/Verdict", "openai/judge-1", False)
    assert call.input == {"text": "Is water wet?"}
    assert call.output == {"verdict": "yes", "reason": "it is"}
    assert (call.usage.calls, call.usage.input_tokens, call.usage.output_tokens) == (1, 100, 20)
    assert call.raw is None
    assert server.requests[0].body["response_format"]["type"] == "json_schema"


async def test_verdicts_are_reconciled_through_the_server(serve):
    judge, server = await serve()
    found = await judge.verdicts(ITEMS, ["a", "b", "c"], contexts=["ctx"])
    assert [v.id for v in found] == ["1", "2", "3"]
    assert server.calls == 1


async def test_missing_verdicts_are_asked_for_again_and_never_made_up(serve):
    one = '{"verdicts": [{"id": "1", "verdict": "supported"}]}'
    judge, server = await serve(lambda _: one)
    with pytest.raises(Unscored, match="4 of 5"):
        await judge.verdicts(ITEMS, ["a", "b", "c", "d", "e"], contexts=["ctx"])
    assert server.calls == 2


async def test_the_description_names_all_that_can_move_a_verdict(serve):
    options = {
        "temperature": 0.7,
        "top_p": 0.9,
        "seed": 5,
        "max_tokens": 77,
        "system_prompt": "Be strict.",
        "reasoning_effort": "low",
    }
    judge, server = await serve(judge=options)
    await judge.ask(VERDICT, ASK)
    info = judge.describe()
    assert (info.kind, info.name) == ("llm", "openai/judge-1")
    assert info.settings == {"endpoint": server.url, **options}
    body = server.requests[0].body
    assert {k: body[k] for k in options if k in body} == {
        k: v for k, v in options.items() if k != "system_prompt"
    }
    assert body["messages"][0]["content"].startswith("Be strict.\n\nJudge the text.")


async def test_T54_samples_are_asked_and_kept_apart(serve):
    judge, server = await serve(
        lambda asked: f'{{"verdict": "{"no" if asked.body.get("seed") else "yes"}"}}',
        judge={"cache": MemoryCache()},
    )
    for _ in range(2):
        assert (await judge.ask(VERDICT, ASK, sample=0)).verdict == "yes"
        assert (await judge.ask(VERDICT, ASK, sample=1)).verdict == "no"
    assert server.calls == 2
    assert [r.body.get("seed") for r in server.requests] == [None, 1]


async def test_T53_two_models_do_not_share_answers(serve):
    cache = MemoryCache()
    first, server = await serve(
        lambda asked: '{"verdict": "%s"}' % ("yes" if asked.body["model"] == "a" else "no"),
        judge={"model": "a", "cache": cache},
    )
    assert (await first.ask(VERDICT, ASK)).verdict == "yes"
    assert (await judge_at(server, model="b", cache=cache).ask(VERDICT, ASK)).verdict == "no"
    assert server.calls == 2


@pytest.mark.parametrize(
    "other",
    [
        {"temperature": 1.0},
        {"top_p": 0.5},
        {"seed": 1},
        {"max_tokens": 9},
        {"system_prompt": "Be kind."},
        {"reasoning_effort": "high"},
    ],
)
async def test_T53_every_setting_is_in_the_key(serve, other):
    cache = MemoryCache()
    judge, server = await serve(lambda _: YES, judge={"cache": cache})
    await judge.ask(VERDICT, ASK)
    await judge_at(server, cache=cache).ask(VERDICT, ASK)
    assert server.calls == 1
    await judge_at(server, cache=cache, **other).ask(VERDICT, ASK)
    assert server.calls == 2


async def test_T53_words_language_and_endpoint_are_in_the_key(serve, stack):
    cache = MemoryCache()
    judge, server = await serve(lambda _: YES, judge={"cache": cache})
    await judge.ask(VERDICT, ASK)
    await judge.ask(prompt(Verdict, "Judge the text strictly."), ASK)
    assert server.calls == 2
    elsewhere = await stack.enter_async_context(LLMServer(lambda _: YES))
    await judge_at(elsewhere, cache=cache).ask(VERDICT, ASK)
    assert elsewhere.calls == 1


async def test_a_cached_answer_costs_nothing_and_says_so(serve, tmp_path):
    with DiskCacheBackend(tmp_path) as cache:
        judge, server = await serve(lambda _: YES, judge={"cache": cache})
        await judge.ask(VERDICT, ASK)
        with recording() as calls:
            again = await judge.ask(VERDICT, ASK)
    assert again == Verdict(verdict="yes", reason="it is")
    assert server.calls == 1
    assert calls[0].cached
    assert (calls[0].usage.calls, calls[0].usage.cached_calls) == (0, 1)
    assert calls[0].usage.input_tokens == 0


@pytest.mark.parametrize(
    "reply",
    [
        Reply(refusal="no"),
        Reply('{"verdict": "yes", "rea', finish="length"),
        failure(400, "bad"),
        Reply("no JSON"),
    ],
)
async def test_T56_errors_refusals_and_truncated_replies_are_never_kept(serve, reply):
    cache = MemoryCache()
    judge, _ = await serve(lambda _: reply, judge={"cache": cache})
    with pytest.raises((Unscored, JudgeError)):
        await judge.ask(VERDICT, ASK)
    assert len(cache) == 0


async def test_a_kept_value_that_does_not_fit_is_asked_for_anew(serve):
    class Odd(CacheInterface):
        def get(self, key):
            return {"reply": '{"verdict": 7}'}

        def set(self, key, value):
            self.kept = value

        def has_key(self, key):
            return True

    cache = Odd()
    judge, server = await serve(lambda _: YES, judge={"cache": cache})
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"
    assert server.calls == 1
    assert cache.kept["reply"] == YES


async def test_equal_questions_in_flight_are_asked_once(serve):
    judge, server = await serve(lambda _: Reply(YES, delay=0.2))
    with recording() as calls:
        answers = await asyncio.gather(*(judge.ask(VERDICT, ASK) for _ in range(20)))
    assert server.calls == 1
    assert answers == [answers[0]] * 20
    assert sum(call.usage.calls for call in calls) == 1
    assert sum(call.usage.cached_calls for call in calls) == 19


async def test_the_others_get_their_answer_when_the_first_asker_is_cancelled(serve):
    judge, server = await serve(lambda _: Reply(YES, delay=0.2))
    first = asyncio.create_task(judge.ask(VERDICT, ASK))
    await asyncio.sleep(0.05)
    with recording() as calls:
        second = asyncio.create_task(judge.ask(VERDICT, ASK))
    await asyncio.sleep(0.05)
    first.cancel()
    assert (await second).verdict == "yes"
    assert first.cancelled() or (await asyncio.gather(first, return_exceptions=True))
    assert server.calls == 1
    assert calls[0].usage.calls == 1


async def test_a_question_that_nobody_waits_for_any_more_ends(serve):
    judge, server = await serve(lambda _: Reply(YES, delay=30))
    task = asyncio.create_task(judge.ask(VERDICT, ASK))
    while not server.at_once:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for _ in range(200):
        if not judge._caller.limiter.active:
            break
        await asyncio.sleep(0.01)
    assert judge._caller.limiter.active == 0


async def test_T81_text_travels_as_utf_8_in_both_directions(serve):
    text = "Zürich 東京 🦉 \u0000 \u202e <|endoftext|>"
    judge, server = await serve(lambda _: '{"verdict": "yes", "reason": "Ü 🦉"}')
    answer = await judge.ask(VERDICT, Text(text=text))
    assert answer.reason == "Ü 🦉"
    assert text in server.requests[0].user
    assert "\\u" not in server.requests[0].system


async def test_T84_special_tokens_are_plain_text(serve):
    judge, server = await serve(lambda _: Reply(YES, usage=None))
    with recording() as calls:
        await judge.ask(VERDICT, Text(text="<|endoftext|><|im_start|>"))
    assert "<|endoftext|><|im_start|>" in server.requests[0].user
    assert calls[0].usage.input_tokens > 0
    assert estimate_tokens("<|endoftext|>") == 4


async def test_T61_an_unknown_price_is_unknown_and_tokens_are_kept(serve):
    judge, _ = await serve([YES, Reply(YES, usage=None)], judge={"model": "gpt-4o-mini"})
    with recording() as calls:
        await judge.ask(VERDICT, ASK)
        await judge.ask(VERDICT, Text(text="another"))
    counted, estimated = (call.usage for call in calls)
    assert counted.cost is None
    assert (counted.input_tokens, counted.estimated) == (100, False)
    assert estimated.estimated
    assert estimated.output_tokens == estimate_tokens(YES)


def test_T61_a_known_price_is_computed_with_reused_tokens():
    from ragstone.llms.provider import ChatRequest, Tokens
    from ragstone.llms.usage import usage_of

    endpoint = "https://api.openai.com/v1"
    request = ChatRequest("s", ("u",), None)  # type: ignore[arg-type]
    reply = ChatReply("x", tokens=Tokens(1000, 200, 100), model="gpt-4o-mini-2024-07-18")
    usage = usage_of(reply, request, endpoint, "gpt-4o-mini")
    assert usage.cost == pytest.approx((900 * 0.15 + 100 * 0.075 + 200 * 0.6) / 1e6)
    assert price_of(endpoint, "no-such-model").cost(Tokens(1, 1)) is None
    assert price_of("http://127.0.0.1:1/v1", "gpt-4o-mini").cost(Tokens(1, 1)) is None


async def test_reasoning_tokens_left_out_of_the_count_are_counted(serve):
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40}
    judge, _ = await serve([Reply(YES, usage=usage)])
    with recording() as calls:
        await judge.ask(VERDICT, ASK)
    assert calls[0].usage.output_tokens == 30


async def test_T87_long_data_are_judged_in_parts_that_fit_the_window(serve):
    judge, server = await serve()
    judge.window = 2000
    contexts = ["word " * 300] * 4
    found = await judge.verdicts(replace(ITEMS, split="contexts"), ["a"], contexts=contexts)
    assert found[0].verdict == "supported"
    assert server.calls >= 3
    assert all(len(asked.user) < 3000 for asked in server.requests)


def test_T87_the_window_comes_from_the_context_length_of_the_model():
    class Nowhere(Provider):
        async def complete(self, request):
            raise AssertionError

    known = LLMJudge(Nowhere("openai", "https://api.openai.com/v1", "gpt-4o-mini"))
    assert 200_000 < known.window <= 256_000
    unknown = LLMJudge(Nowhere("openai", "http://127.0.0.1:1/v1", "mine"))
    assert unknown.window == 24_000
    unknown.window = 90_000
    assert unknown.window == 90_000


async def test_T51_a_judge_holds_no_state_between_questions(serve):
    judge, _ = await serve(lambda asked: f'{{"verdict": "yes", "reason": "{asked.number}"}}')
    asked = [judge.ask(VERDICT, Text(text=f"q{n}")) for n in range(50)]
    answers = await asyncio.gather(*asked)
    assert len({answer.reason for answer in answers}) == 50


def _ask(judge: LLMJudge, text: str) -> str:
    return asyncio.run(judge.ask(VERDICT, Text(text=text))).verdict


async def test_T62_one_judge_serves_many_loops_at_once(serve):
    judge, server = await serve(lambda _: YES)
    in_threads = [asyncio.to_thread(_ask, judge, f"thread {n}") for n in range(6)]
    by_bridge = [
        asyncio.to_thread(lambda n=n: bridge.run(judge.ask(VERDICT, Text(text=f"b {n}"))).verdict)
        for n in range(6)
    ]
    here = [judge.ask(VERDICT, Text(text=f"here {n}")) for n in range(6)]
    ends = await asyncio.gather(*in_threads, *by_bridge, *here)
    assert ends[:12] == ["yes"] * 12
    assert server.calls == 18
    await judge.aclose()
    assert (await judge.ask(VERDICT, Text(text="after closing"))).verdict == "yes"


async def test_T62_a_judge_works_under_uvloop(serve):
    judge, server = await serve(lambda _: YES)

    def under_uvloop() -> list[str]:
        async def ask_all() -> list[str]:
            asked = [judge.ask(VERDICT, Text(text=f"u {n}")) for n in range(200)]
            return [answer.verdict for answer in await asyncio.gather(*asked)]

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(ask_all())

    assert await asyncio.to_thread(under_uvloop) == ["yes"] * 200
    assert server.calls == 200


async def test_T75_no_other_address_is_contacted(serve, monkeypatch):
    import socket

    called: list[object] = []
    connect = socket.socket.connect
    monkeypatch.setattr(
        socket.socket, "connect", lambda self, to: (called.append(to), connect(self, to))[1]
    )
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_: called.append(host))
    judge, server = await serve(lambda _: YES, judge={"model": "gpt-4o-mini"})
    await judge.ask(VERDICT, ASK)
    assert price_of("https://api.openai.com/v1", "gpt-4o-mini").context_tokens == 128_000
    assert set(called) == {("127.0.0.1", server.port)}


async def test_a_proxy_in_the_environment_is_not_used(serve, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    judge, _ = await serve(lambda _: YES)
    assert (await judge.ask(VERDICT, ASK)).verdict == "yes"


def test_a_judge_refuses_what_it_cannot_use():
    class Nowhere(Provider):
        async def complete(self, request):
            raise ProviderError("x", provider="p")

    provider = Nowhere("p", "e", "m")
    with pytest.raises(UsageError, match="timeout must be a positive number"):
        LLMJudge(provider, timeout=0)
    with pytest.raises(UsageError, match="cache must be a CacheInterface, not 'dict'"):
        LLMJudge(provider, cache={})  # type: ignore[arg-type]


def test_threads_do_not_mix_up_what_they_record(tmp_path):
    class Echo(Provider):
        async def complete(self, request):
            await asyncio.sleep(0)
            return ChatReply(YES.replace("it is", str(len(request.turns[0]))))

    judge = LLMJudge(Echo("p", "e", "m"), cache=MemoryCache())
    seen: dict[int, int] = {}

    def work(number: int) -> None:
        async def ask_all() -> None:
            for n in range(30):
                await judge.ask(VERDICT, Text(text="x" * (number * 100 + n)))

        with recording() as calls:
            asyncio.run(ask_all())
        seen[number] = len(calls)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == dict.fromkeys(range(6), 30)

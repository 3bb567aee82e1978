"""A judge that does not work: exit code 1, one sentence, no traceback, and the way to go on."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cli_rows import write_rows

from ragstone.errors import ProviderError
from ragstone.llms.calling import Retries
from ragstone.testing.llm_server import Asked, LLMServer, Reply, failure, from_schema, reset


@contextmanager
def serving(*script: Any, **options: Any) -> Iterator[LLMServer]:
    """A server in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = LLMServer(*script, **options)
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.fixture
def judged(ragstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    path = write_rows(tmp_path / "one.jsonl", wrong=0, n=1, contexts=["a context"])
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")

    def call(url: str) -> Any:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        return ragstone("evaluate", str(path), "-m", "faithfulness", "--judge", "gpt-4o-mini")

    return call


def check(answer: Any, sentence: str) -> None:
    assert answer.code == 1
    errors = [line for line in answer.err.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert sentence in errors[0]
    assert "resume " in answer.err
    assert "Traceback" not in answer.err + answer.out
    assert "api_key=" not in answer.err
    assert "sk-wrong" not in answer.err + answer.out


def test_a_refused_connection(judged) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        check(judged(f"http://127.0.0.1:{port}/v1"), "cannot reach openai")


def test_a_wrong_key(judged) -> None:
    with serving(key="sk-right") as server:
        check(judged(server.url), "does not accept the API key")


def test_an_unknown_model(judged) -> None:
    with serving(models=["other"]) as server:
        check(judged(server.url), "knows no model 'gpt-4o-mini'")


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (failure(429, "slow down", retry_after=86_400), "asks to wait 86400 s"),
        (Reply("this is no JSON {"), "nothing was scored; the first error is BadReply"),
        (Reply(body=b"<html>oops"), "nothing was scored; the first error is "),
        (reset(), "nothing was scored; the first error is ProviderError"),
    ],
    ids=["429", "broken JSON", "no JSON at all", "connections cut"],
)
def test_a_judge_that_never_answers_well(judged, reply: Reply, sentence: str) -> None:
    with serving(lambda _: reply) as server:
        check(judged(server.url), sentence)


def test_resume_mends_a_run_in_which_nothing_was_scored(judged, ragstone) -> None:
    broken = threading.Event()
    broken.set()

    def script(asked: Asked) -> Reply:
        return Reply("no JSON") if broken.is_set() else from_schema(asked)

    with serving(script) as server:
        check(judged(server.url), "nothing was scored")
        broken.clear()
        answer = ragstone("resume", "latest")
    assert answer.code == 0
    assert "1/1" in answer.out
    assert len(ragstone("runs", "--json").json) == 1


def test_a_long_storm_of_429_is_waited_out_without_an_overflow() -> None:
    error = ProviderError("slow", provider="openai", kind="rate_limit", retryable=True)
    wait = Retries().wait(error, 5000, 0.0)
    assert wait is not None
    assert 15.0 <= wait <= 30.0

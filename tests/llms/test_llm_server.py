from __future__ import annotations

import subprocess
import sys
from typing import Literal

import pytest
from judge_questions import ITEMS, Text, prompt
from pydantic import BaseModel, Field

from ragstone.llms.factory import llm_factory
from ragstone.testing.llm_server import LLMServer, failure, main


class Inner(BaseModel):
    id: str
    label: Literal["first", "second"]


class Everything(BaseModel):
    flag: bool
    score: int = Field(ge=2, le=5)
    share: float
    names: list[str] = Field(min_length=2)
    inner: Inner
    many: list[Inner]
    maybe: str | None
    kind: Literal["only"]


async def test_the_default_reply_fits_any_schema():
    async with LLMServer() as server:
        judge = llm_factory("m", base_url=server.url)
        answer = await judge.ask(prompt(Everything), Text(text="x"))
        assert answer.score == 2
        assert answer.inner.label == "first"
        assert len(answer.names) == 2
        verdicts = await judge.verdicts(ITEMS, ["a", "b"], contexts=["c"])
        assert [v.verdict for v in verdicts] == ["supported", "supported"]
    assert server.calls == 2


async def test_the_schema_is_found_in_the_words_when_the_request_has_none():
    def only_told(asked):
        if "response_format" in asked.body:
            return failure(400, "response_format is not supported")
        return server_default(asked)

    from ragstone.testing.llm_server import from_schema as server_default

    async with LLMServer(only_told) as server:
        judge = llm_factory("m", base_url=server.url)
        assert (await judge.ask(prompt(Everything), Text(text="x"))).kind == "only"


def test_it_runs_as_a_process_of_its_own():
    process = subprocess.Popen(
        [sys.executable, "-m", "ragstone.testing.llm_server", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        import asyncio

        judge = llm_factory("m", base_url=url)
        assert asyncio.run(judge.ask(prompt(Everything), Text(text="x"))).flag is True
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def test_a_negative_latency_is_refused():
    with pytest.raises(ValueError, match="--latency must not be negative"):
        main(["--latency", "-1"])

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from ragstone.llms.factory import llm_factory
from ragstone.llms.judge import LLMJudge
from ragstone.testing.llm_server import LLMServer

from judge_questions import FAST


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def serve(stack: AsyncExitStack) -> Callable[..., Any]:
    """A judge at a server with a script, and the server."""

    async def start(script: Any = None, *, judge: Any = None, **options: Any):
        server = await stack.enter_async_context(LLMServer(script, **options))
        return judge_at(server, **(judge or {})), server

    return start


def judge_at(server: LLMServer, **options: Any) -> LLMJudge:
    options = {"api_key": f"sk-test-{uuid.uuid4().hex}", "timeout": 10.0} | options
    retries = options.pop("retries", FAST)
    made = llm_factory(options.pop("model", "judge-1"), base_url=server.url, **options)
    return LLMJudge(
        made.provider,
        sampling=made._sampling,
        system_prompt=options.get("system_prompt"),
        cache=options.get("cache"),
        timeout=options["timeout"],
        retries=retries,
    )

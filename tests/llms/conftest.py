from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from judge_questions import judge_at

from ragstone.testing.llm_server import LLMServer


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

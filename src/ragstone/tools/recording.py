"""What a measurement asked its judge, gathered without passing a list through every metric."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ragstone.schema.usage import Call

__all__ = ["record", "recording"]

_calls: ContextVar[list[Call] | None] = ContextVar("ragstone_calls", default=None)


@contextmanager
def recording() -> Iterator[list[Call]]:
    """Gather the calls that judges make inside this block, in the order in which they end."""
    calls: list[Call] = []
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


def record(call: Call) -> None:
    """Add a call to the measurement under way, if there is one."""
    calls = _calls.get()
    if calls is not None:
        calls.append(call)

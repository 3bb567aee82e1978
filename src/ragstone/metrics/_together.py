"""Several questions at once, none of which is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any, TypeVar

from ragstone.errors import Unscored

__all__ = ["both", "together"]

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


async def together(asked: Iterable[Awaitable[T]]) -> list[T]:
    """All results, in order. When some have none, all are waited for before the worst is raised.

    So no answer arrives, and is paid for, after the result that it belongs to has been made up. A
    break is worse than an honest lack of an answer.
    """
    found = await asyncio.gather(*asked, return_exceptions=True)
    errors = [each for each in found if isinstance(each, BaseException)]
    if errors:
        raise _worst(errors, len(found))
    return [each for each in found if not isinstance(each, BaseException)]


async def both(first: Awaitable[A], second: Awaitable[B]) -> tuple[A, B]:
    """`together` for two results of different kinds."""
    found: list[Any] = await together([first, second])
    return found[0], found[1]


def _worst(errors: list[BaseException], asked: int) -> BaseException:
    lacks = [error for error in errors if isinstance(error, Unscored)]
    if len(lacks) < len(errors):
        return next(error for error in errors if not isinstance(error, Unscored))
    if asked == 1:
        return lacks[0]
    return Unscored(lacks[0].code, f"{len(lacks)} of {asked} without answer: {lacks[0].detail}")

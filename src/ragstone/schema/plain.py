"""Check at the door what a user's metric returned, so that one bad part breaks one cell only."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Mapping
from typing import TypeVar

from pydantic_core import PydanticSerializationError, to_jsonable_python

from ragstone.errors import UsageError

__all__ = ["LARGEST", "finite", "json_data", "many", "shown", "text", "text_or_none", "whole"]

LARGEST = 1e150
"""The largest size of a score: a larger number overflows when statistics square it."""

_DEEPEST = 200  # levels of nesting
_T = TypeVar("_T")


def shown(value: object) -> str:
    """The value for a message: short, whatever it is."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return f"an integer of {value.bit_length():,} bits"  # Python may refuse to print it
    return reprlib.repr(value)


def text(value: object, part: str) -> None:
    """Refuse what is no string. Raises UsageError: names the part and the value."""
    if not isinstance(value, str):
        raise UsageError(f"{part} must be a string, not {shown(value)}")


def text_or_none(value: object, part: str) -> None:
    """Refuse what is neither a string nor None. Raises UsageError: names the part."""
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{part} must be a string or None, not {shown(value)}")


def whole(value: object, part: str) -> int:
    """A whole number, at least 0, as int. Raises UsageError: names the part and the value."""
    number = int(value) if isinstance(value, numbers.Integral) else -1
    if number >= 0:
        return number
    raise UsageError(f"{part} must be a whole number from 0, not {shown(value)}")


def finite(value: object, part: str) -> int | float:
    """A number of any library as int or float, its size at most `LARGEST`.

    Raises UsageError: names the part and the value.
    """
    if isinstance(value, numbers.Real):
        try:
            plain = int(value) if isinstance(value, numbers.Integral) else float(value)
        except (OverflowError, ValueError):
            plain = math.nan
        if abs(plain) <= LARGEST:
            return plain
    raise UsageError(
        f"{part} must be a finite number (of a size up to {LARGEST:g}), not {shown(value)}"
    )


def many(values: object, kind: type[_T], part: str) -> tuple[_T, ...]:
    """A list or tuple of that class, as a tuple. Raises UsageError: names the first other entry."""
    if not isinstance(values, (tuple, list)):
        raise UsageError(f"{part} must be a tuple of {kind.__name__} objects, not {shown(values)}")
    for index, value in enumerate(values):
        if not isinstance(value, kind):
            raise UsageError(
                f"{part}[{index}] must be a {kind.__name__} object, not {shown(value)}"
            )
    return tuple(values)


def json_data(value: object, part: str, *, depth: int = 0) -> None:
    """Refuse what JSON has no form for. Raises UsageError: names the place, such as traces['a']."""
    if value is None or isinstance(value, (str, int, float)):
        return
    if depth == _DEEPEST:
        raise UsageError(f"{part[:60]}... is nested more than {_DEEPEST} levels deep")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            text(key, f"the key of {part}")
            json_data(inner, f"{part}[{shown(key)}]", depth=depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            json_data(inner, f"{part}[{index}]", depth=depth + 1)
    else:
        _leaf(value, part)


def _leaf(value: object, part: str) -> None:
    if isinstance(value, numbers.Real):  # such as a NumPy scalar
        return
    try:
        to_jsonable_python(value)
    except (PydanticSerializationError, ValueError):
        raise UsageError(f"{part} must be JSON data, not {shown(value)}") from None

"""JSON text that gives back exactly what was put in: any string, any number, any depth.

The usual case goes through pydantic's fast reader and writer. What those refuse (lone surrogates,
very deep nesting, endless digits) takes the slower way through the standard library.
"""

from __future__ import annotations

import dataclasses
import json
import numbers
import reprlib
from decimal import Decimal
from typing import Any

from pydantic_core import (
    PydanticSerializationError,
    from_json,
    to_json,
    to_jsonable_python,
)

from ragstone.errors import UsageError

__all__ = ["dumps", "loads"]


def dumps(value: Any) -> str:
    """The value as JSON text without NUL characters and lone surrogates.

    Dataclasses become objects, tuples lists, times and the like strings. Raises UsageError for what
    has no form in JSON.
    """
    try:
        return to_json(value, inf_nan_mode="constants", fallback=_plain).decode()
    except PydanticSerializationError:
        return _dumps_odd(value)


def _dumps_odd(value: Any) -> str:
    try:
        return json.dumps(value, default=_default, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(
            f"a {type(value).__name__} cannot be stored, for JSON has no form of something in it: "
            f"{error}"
        ) from error


def loads(text: str) -> Any:
    """The value of a JSON text that `dumps` wrote."""
    try:
        return from_json(text)
    except ValueError:
        # int() refuses more than 4,300 digits; Decimal takes any number of them
        return json.loads(text, parse_int=lambda digits: int(Decimal(digits)))


def _plain(value: Any) -> Any:
    if isinstance(value, numbers.Integral):  # such as a NumPy scalar
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"{reprlib.repr(value)} is a {type(value).__name__}")


def _default(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return to_jsonable_python(value, fallback=_plain)

"""Values of any origin as plain JSON values."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

__all__ = ["plain"]


def plain(value: Any) -> Any:
    """The value made of None, bool, int, float, str, list and dict only.

    NaN and the missing values of pandas become None; NumPy arrays and tuples become lists; dates
    become ISO text. Raises ValueError for what JSON or UTF-8 cannot hold: infinities, lone
    surrogates, keys that are not text, foreign objects.
    """
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return value
    if kind is str:
        return value if value.isascii() else _text(value)
    if kind is float:
        return _number(value)
    if kind is list or kind is tuple:
        return [plain(item) for item in value]
    if kind is dict:
        return {_key(key): plain(item) for key, item in value.items()}
    return plain(_opened(value))


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"the text has a lone surrogate at character {error.start}, which is no Unicode "
            "text; repair it with text.encode('utf-16', 'surrogatepass')"
            ".decode('utf-16', 'replace')"
        ) from None
    return value


def _number(value: float) -> float | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        raise ValueError(f"the number {value!r} has no JSON form; use a finite number or None")
    return value


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the key {key!r} is not text; use text for the keys of a mapping")
    return _text(str.__str__(key))


def _opened(value: Any) -> Any:
    """One step from a foreign value towards a plain one; it never returns its own type."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=True)
    if isinstance(value, Enum):
        return value.value
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    # What is not imported cannot have made the value, so neither is imported here.
    if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
        return value.tolist()
    if pandas is not None and (value is pandas.NA or value is pandas.NaT):
        return None
    return _base(value)


def _base(value: Any) -> Any:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, Mapping):
        return dict(value)
    try:
        return to_jsonable_python(value)
    except (PydanticSerializationError, UnicodeDecodeError):
        raise ValueError(f"a value of type {type(value).__name__!r} has no JSON form") from None

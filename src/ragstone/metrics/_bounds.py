"""The values that a numeric metric allows: between two numbers, or the whole numbers of a range."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import PlainValidator

from ragstone.errors import UsageError

__all__ = ["Bounds", "ends", "is_allowed", "read_bounds", "told_bounds"]

_RANGE = re.compile(r"range\((-?\d+), ?(-?\d+)(?:, ?(-?\d+))?\)")


def read_bounds(value: Any) -> tuple[float, float] | range:
    """Bounds out of a range, its text, or two numbers with the lower one first.

    Raises UsageError for anything else.
    """
    if isinstance(value, str) and (found := _RANGE.fullmatch(value.strip())):
        value = range(*(int(part) for part in found.groups() if part is not None))
    if isinstance(value, range):
        if len(value) < 2:
            raise UsageError(f"allowed_values needs two or more numbers, not {value!r}")
        return value
    if isinstance(value, Sequence) and len(value) == 2 and all(map(_is_number, value)):
        low, high = value
        if low < high:
            return (low, high)
    raise UsageError(
        f"allowed_values must be (lowest, highest) or a range, such as (0, 10), not {value!r}"
    )


def _from_spec(value: Any) -> tuple[float, float] | range:
    try:
        return read_bounds(value)
    except UsageError as error:
        raise ValueError(str(error)) from None


Bounds = Annotated[tuple[float, float] | range, PlainValidator(_from_spec)]


def ends(bounds: tuple[float, float] | range) -> tuple[float, float]:
    """The lowest and the highest allowed value."""
    return (float(min(bounds)), float(max(bounds)))


def is_allowed(value: Any, bounds: tuple[float, float] | range) -> bool:
    """Whether a value is a number that the bounds allow."""
    if not isinstance(value, numbers.Real) or not math.isfinite(value):
        return False
    number = float(value)
    return number in bounds if isinstance(bounds, range) else bounds[0] <= number <= bounds[1]


def told_bounds(bounds: tuple[float, float] | range) -> str:
    """The bounds in words."""
    low, high = ends(bounds)
    if not isinstance(bounds, range):
        return f"a number from {low:g} to {high:g}"
    steps = "" if abs(bounds.step) == 1 else f", in steps of {abs(bounds.step)}"
    return f"a whole number from {low:g} to {high:g}{steps}"


def _is_number(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isfinite(value)

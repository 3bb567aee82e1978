"""Check numbers and groups at the door, so that no NaN enters any sum."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import UsageError
from ragstone.schema.plain import LARGEST

__all__ = [
    "ROUNDING",
    "Floats",
    "Groups",
    "Values",
    "checked_bounds",
    "checked_groups",
    "checked_share",
    "checked_values",
    "exact_mean",
    "is_binary",
    "spread",
]

Floats = NDArray[np.float64]
Values = Sequence[float] | Floats
Groups = Sequence[Hashable]

ROUNDING = 1e-12  # of the size of the numbers: a smaller difference is rounding noise
_SLACK = 1e-6  # of the width of a range: room for single-precision rounding


def checked_values(values: Values, name: str = "values") -> Floats:
    """Return the numbers as float64; refuse None, NaN, infinity and what is no number.

    Raises UsageError: names the first bad index and its value.
    """
    if not isinstance(values, np.ndarray):
        values = _as_array(values, name)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise UsageError(f"{name} must be one row of numbers, not {values.dtype} {values.shape}.")
    array = values.astype(np.float64)
    bad = np.flatnonzero(~(np.abs(array) <= LARGEST))
    if bad.size:
        raise _not_a_score(name, int(bad[0]), float(array[bad[0]]))
    return array


def _as_array(values: Iterable[object], name: str) -> Floats:
    numbers = list(values)
    for index, value in enumerate(numbers):
        if not isinstance(value, float | int | np.floating | np.integer | np.bool_):
            raise _not_a_score(name, index, value)
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise UsageError(f"{name} holds an integer too large for a float.") from None


def _not_a_score(name: str, index: int, value: object) -> UsageError:
    return UsageError(
        f"{name}[{index}] is {value!r}, not a finite number (at most {LARGEST:g}). "
        "Leave rows without a score out and count them in n_total."
    )


def checked_groups(groups: Groups | None, n: int) -> list[Hashable] | None:
    """Return the group of every row; refuse a wrong length and a missing group.

    Raises UsageError: names the lengths, or the index of the missing group.
    """
    if groups is None:
        return None
    named = list(groups)
    if len(named) != n:
        raise UsageError(f"groups has {len(named)} entries for {n} rows; give one for every row.")
    for index, group in enumerate(named):
        if group is None or group != group:  # NaN alone differs from itself
            raise UsageError(f"groups[{index}] is {group!r}; every row needs a group.")
    return named


def checked_bounds(
    bounds: tuple[float, float] | None, values: Floats, name: str = "values"
) -> tuple[float, float] | None:
    """Return the range of the scores; refuse an empty range and values outside it.

    Raises UsageError: names the range, and the index and value outside it.
    """
    if bounds is None:
        return None
    low, high = float(bounds[0]), float(bounds[1])
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise UsageError(f"bounds {bounds!r} must be two finite numbers, the lower one first.")
    slack = _SLACK * (high - low)
    outside = np.flatnonzero((values < low - slack) | (values > high + slack))
    if outside.size:
        index = int(outside[0])
        raise UsageError(f"{name}[{index}] is {float(values[index])!r}, outside {bounds!r}.")
    return low, high


def checked_share(value: float, name: str) -> float:
    """Return a level or alpha; refuse what is not strictly between 0 and 1.

    Raises UsageError: names the argument and its value.
    """
    if not 0 < value < 1:
        raise UsageError(f"{name} is {value!r}; give a number between 0 and 1, such as 0.95.")
    return float(value)


def exact_mean(values: Floats) -> float:
    """Return the mean without rounding of the sum; the order of the rows does not matter."""
    mean = math.fsum(values.tolist()) / len(values)
    return min(max(mean, float(values.min())), float(values.max()))


def is_binary(values: Floats) -> bool:
    """Tell whether every value is 0 or 1, so that the mean is a rate."""
    return bool(np.all((values == 0) | (values == 1)))


def spread(values: Floats) -> float:
    """Return the sample standard deviation (n - 1); 0 where values differ by rounding only.

    Scaled before squaring, so that squares of small numbers do not vanish.
    """
    if len(values) < 2:
        return 0.0
    if float(np.ptp(values)) <= ROUNDING * float(np.abs(values).max()):
        return 0.0
    centred = np.sort(values) - exact_mean(values)
    scale = float(np.abs(centred).max())
    return scale * math.sqrt(float(np.sum((centred / scale) ** 2)) / (len(values) - 1))

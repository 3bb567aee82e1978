"""Metrics that give a number within bounds: by a prompt, or by a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ragstone.metrics._bounds import ends, is_allowed, read_bounds, told_bounds
from ragstone.metrics._function import FunctionMetric
from ragstone.metrics.rubric.numeric import NumericMetric

__all__ = ["NumericMetric", "numeric_metric"]


def numeric_metric(
    *,
    name: str | None = None,
    allowed_values: tuple[float, float] | range = (0.0, 1.0),
    higher_is_better: bool = True,
) -> Callable[[Callable[..., Any]], FunctionMetric]:
    """Decorate a function that gives a number; `name` is by default its own.

    `allowed_values` is (lowest, highest), or a range of whole numbers. Any other value is unscored
    (not_allowed). Raises UsageError for bounds that are none.
    """
    bounds = read_bounds(allowed_values)

    def check(value: Any) -> str:
        return "" if is_allowed(value, bounds) else f"it is not {told_bounds(bounds)}"

    def decorate(function: Callable[..., Any]) -> FunctionMetric:
        return FunctionMetric(
            name=name or function.__name__,
            function=function,
            kind="NumericMetric",
            allowed_values=bounds,
            check=check,
            bounds=ends(bounds),
            higher_is_better=higher_is_better,
        )

    return decorate

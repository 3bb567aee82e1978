"""Metrics that give one label out of a list: by a prompt, or by a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ragstone.errors import UsageError
from ragstone.metrics._function import FunctionMetric
from ragstone.metrics.rubric.discrete import DiscreteMetric

__all__ = ["DiscreteMetric", "discrete_metric"]


def discrete_metric(
    *, name: str | None = None, allowed_values: Sequence[str | int] = ("pass", "fail")
) -> Callable[[Callable[..., Any]], FunctionMetric]:
    """Decorate a function that gives one of `allowed_values`; `name` is by default its own.

    Any other value is unscored (not_allowed). Raises UsageError for fewer than two labels.
    """
    labels = list(allowed_values)
    if isinstance(allowed_values, str) or len(set(labels)) < 2 or len(set(labels)) < len(labels):
        raise UsageError(f"allowed_values needs two or more different labels: {allowed_values!r}")

    def check(value: Any) -> str:
        if any(isinstance(value, type(label)) and value == label for label in labels):
            return ""
        return f"it is not one of {', '.join(map(repr, labels))}"

    def decorate(function: Callable[..., Any]) -> FunctionMetric:
        return FunctionMetric(
            name=name or function.__name__,
            function=function,
            kind="DiscreteMetric",
            allowed_values=labels,
            check=check,
        )

    return decorate

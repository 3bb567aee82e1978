"""Metrics that put items in their order: by a prompt, or by a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ragstone.errors import UsageError
from ragstone.metrics._function import FunctionMetric
from ragstone.metrics.rubric.ranking import RankingMetric

__all__ = ["RankingMetric", "ranking_metric"]


def ranking_metric(
    *, name: str | None = None, allowed_values: int | Sequence[str | int] = 2
) -> Callable[[Callable[..., Any]], FunctionMetric]:
    """Decorate a function that gives items in their order; `name` is by default its own.

    `allowed_values` is how many items there must be, or the items themselves, of which each stands
    once. Any other list is unscored (not_allowed). Raises UsageError for a count below 2.
    """
    allowed = allowed_values if isinstance(allowed_values, int) else list(allowed_values)
    count = allowed if isinstance(allowed, int) else len(allowed)
    if count < 2 or isinstance(allowed_values, (bool, str)):
        raise UsageError(f"allowed_values is how many items are ranked, not {allowed_values!r}")

    def check(value: Any) -> str:
        if not isinstance(value, (list, tuple)):
            return "it is not a list"
        if len(value) != count:
            mend = f"; write allowed_values={len(value)} to rank so many" if len(value) > 1 else ""
            return f"it has {len(value)} items, not {count}{mend}"
        if isinstance(allowed, list) and any(value.count(item) != 1 for item in allowed):
            return f"it does not hold each of {', '.join(map(repr, allowed))} once"
        return ""

    def decorate(function: Callable[..., Any]) -> FunctionMetric:
        return FunctionMetric(
            name=name or function.__name__,
            function=function,
            kind="RankingMetric",
            allowed_values=allowed,
            check=check,
        )

    return decorate

"""What the metrics of a ranking share."""

from __future__ import annotations

from collections.abc import Callable

from ragstone.errors import UsageError
from ragstone.metrics._ids import Found, Grades, Ids, find
from ragstone.metrics._texts import no_context
from ragstone.schema.results import MetricResult

__all__ = ["check_k", "score_ranking"]


def check_k(k: int | None) -> None:
    """Raise UsageError unless a number of ranks is 1 or more, or None for all ranks."""
    if k is not None and k < 1:
        raise UsageError(f"k must be 1 or more, not {k!r}")


def score_ranking(
    ids: tuple[Ids, Ids, Grades], strict: bool, value: Callable[[Found], tuple[float, str]]
) -> MetricResult:
    """The value and reason that `value` makes of the retrieved, reference ids and grades."""
    found = find(*ids)
    if not found.retrieved:
        return no_context(strict)
    score, reason = value(found)
    return MetricResult(score, reason=reason, evidence=found.evidence())

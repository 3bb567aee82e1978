"""What counts as an empty input, one policy for every metric: empty inputs never reach a judge."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import Unscored
from ragstone.schema.results import MetricResult, Span

__all__ = ["blank", "empty", "has_context", "need_text", "no_context", "whole"]


def blank(text: str | None) -> bool:
    """Whether a text holds nothing but white space."""
    return text is None or not text.strip()


def empty(value: object) -> bool:
    """Whether a value of any kind is a blank text, or a list that holds nothing else."""
    if isinstance(value, (list, tuple)):
        return all(empty(part) for part in value)
    return value is None or (isinstance(value, str) and blank(value))


def need_text(text: str, code: str, what: str) -> str:
    """The text, or Unscored when it is blank."""
    if blank(text):
        raise Unscored(code, f"the {what} is blank")
    return text


def has_context(contexts: Sequence[str]) -> bool:
    """Whether any context holds text."""
    return not all(blank(text) for text in contexts)


def no_context(strict: bool, worst: float = 0.0) -> MetricResult:
    """The result when there is no context: the worst value when strict, else unscored."""
    reason = "there are no contexts, or only blank ones"
    if strict:
        return MetricResult(worst, reason=reason)
    return MetricResult.unscored("no_context", reason)


def whole(field: str, text: str, index: int | None = None) -> Span:
    """The span of a whole text."""
    return Span(field, 0, len(text), index)

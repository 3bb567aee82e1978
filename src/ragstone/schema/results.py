"""What a metric returns: a score, or the honest reason why there is none."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ragstone.errors import UsageError
from ragstone.schema import plain

__all__ = ["Evidence", "MetricResult", "Span", "Status", "Value"]

Status = Literal["scored", "unscored", "failed"]
Value = float | int | str | list[str | int] | None
_STATUSES = get_args(Status)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of characters of one field of the sample, end exclusive.

    `index` is the position in a list field (which context), None for a plain text field.
    Raises UsageError for parts of other types.
    """

    field: str
    start: int
    end: int
    index: int | None = None

    def __post_init__(self) -> None:
        plain.text(self.field, "field of a Span")
        object.__setattr__(self, "start", plain.whole(self.start, "start of a Span"))
        object.__setattr__(self, "end", plain.whole(self.end, "end of a Span"))
        if self.index is not None:
            object.__setattr__(self, "index", plain.whole(self.index, "index of a Span"))


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of what made a score: a claim, a context, a tool call, and its verdict.

    `verdict` is a closed label such as "supported"; `reason` the judge's words; `spans` point at
    the text of the sample; `weight` is a number beside it, such as a probability, if there is one.
    Raises UsageError for parts of other types and a weight that is not finite.
    """

    text: str
    verdict: str
    reason: str = ""
    spans: tuple[Span, ...] = ()
    weight: float | None = None

    def __post_init__(self) -> None:
        plain.text(self.text, "text of Evidence")
        plain.text(self.verdict, "verdict of Evidence")
        plain.text(self.reason, "reason of Evidence")
        object.__setattr__(self, "spans", plain.many(self.spans, Span, "spans of Evidence"))
        if self.weight is not None:
            weight = float(plain.finite(self.weight, "weight of Evidence"))
            object.__setattr__(self, "weight", weight)


@dataclass(frozen=True, slots=True, eq=False)
class MetricResult:
    """The result of one metric on one sample. It behaves like its value.

    `status` is scored (then `value` is set), unscored (then `code` says why: no_context, refusal,
    needs_llm, ...) or failed (then `error` holds the message). Never NaN, never a silent 0 or 1.
    A number is finite and of a size up to 1e150, the largest that the statistics take.
    `traces` holds the calls that a judge made, as {"input": ..., "output": ...}; it is JSON data.
    Raises UsageError, which names the part, for anything else.
    """

    value: Value = None
    reason: str | None = None
    status: Status = "scored"
    code: str | None = None
    error: str | None = None
    evidence: tuple[Evidence, ...] = ()
    traces: dict[str, Any] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.status not in _STATUSES:
            raise UsageError(f"status must be one of {_STATUSES}, not {plain.shown(self.status)}")
        if self.status == "scored" and self.value is None:
            raise UsageError("a scored result needs a value; use MetricResult.unscored(code)")
        if self.status != "scored" and self.value is not None:
            found = plain.shown(self.value)
            raise UsageError(f"a result that is {self.status} has no value, not {found}")
        object.__setattr__(self, "value", _score(self.value))
        plain.text_or_none(self.reason, "reason")
        plain.text_or_none(self.code, "code")
        plain.text_or_none(self.error, "error")
        object.__setattr__(self, "evidence", plain.many(self.evidence, Evidence, "evidence"))
        if self.traces is not None:
            if not isinstance(self.traces, dict):
                raise UsageError(f"traces must be a dict, not {plain.shown(self.traces)}")
            plain.json_data(self.traces, "traces")

    @classmethod
    def unscored(
        cls, code: str, reason: str = "", evidence: tuple[Evidence, ...] = ()
    ) -> MetricResult:
        """No score, and why: a fixed code and a sentence."""
        return cls(status="unscored", code=code, reason=reason or None, evidence=evidence)

    @classmethod
    def failed(cls, error: str, code: str = "error") -> MetricResult:
        """The measurement broke; `error` is the message, `code` the kind of error."""
        return cls(status="failed", code=code, error=error)

    def _number(self) -> Any:
        if self.value is None:
            why = self.code or self.error or self.status
            raise UsageError(f"this result has no value: {self.status} ({why})")
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """The documented short form: {"result": value, "reason": reason}."""
        return {"result": self.value, "reason": self.reason}

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __bool__(self) -> bool:
        return bool(self._number())

    def __str__(self) -> str:
        return str(self.value) if self.status == "scored" else f"{self.status}({self.code})"

    def __format__(self, spec: str) -> str:
        return format(self._number(), spec) if spec else str(self)

    def __len__(self) -> int:
        return len(self._number())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._number())

    def __getitem__(self, key: Any) -> Any:
        return self._number()[key]

    def __hash__(self) -> int:
        return hash((self.status, self.code, str(self.value)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MetricResult):
            return _parts(self) == _parts(other)
        return self.value is not None and self.value == other

    def __lt__(self, other: Any) -> bool:
        return bool(self._number() < _plain(other))

    def __le__(self, other: Any) -> bool:
        return bool(self._number() <= _plain(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self._number() > _plain(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self._number() >= _plain(other))

    def __add__(self, other: Any) -> Any:
        return self._number() + _plain(other)

    def __radd__(self, other: Any) -> Any:
        return _plain(other) + self._number()

    def __sub__(self, other: Any) -> Any:
        return self._number() - _plain(other)

    def __rsub__(self, other: Any) -> Any:
        return _plain(other) - self._number()

    def __mul__(self, other: Any) -> Any:
        return self._number() * _plain(other)

    def __rmul__(self, other: Any) -> Any:
        return _plain(other) * self._number()

    def __truediv__(self, other: Any) -> Any:
        return self._number() / _plain(other)

    def __rtruediv__(self, other: Any) -> Any:
        return _plain(other) / self._number()


def _plain(other: Any) -> Any:
    return other._number() if isinstance(other, MetricResult) else other


def _parts(result: MetricResult) -> tuple[Any, ...]:
    return (result.value, result.status, result.code, result.reason, result.error, result.evidence)


def _score(value: Any) -> Value:
    """The value as plain data: numbers of other libraries become int or float."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # the label of a string enumeration, too
    if isinstance(value, numbers.Real):
        return plain.finite(value, "a score")
    if isinstance(value, (list, tuple)) and all(_is_label(label) for label in value):
        return [str.__str__(label) if isinstance(label, str) else int(label) for label in value]
    raise UsageError(f"a score is a number, a label or a list of labels, not {plain.shown(value)}")


def _is_label(value: Any) -> bool:
    """A text, or a whole number such as the place of a ranked item."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    return isinstance(value, str) or whole

"""JSON validity: is the response JSON, and of the form that a schema asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pydantic_core

from ragstone.errors import MissingExtra, Unscored, UsageError
from ragstone.metrics._texts import blank, whole
from ragstone.metrics.base import Metric
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["JSONValidity"]

_SHOWN = 20  # violations told of one response
_LETTERS = 300  # of one violation, which may quote the data


@dataclass(frozen=True, kw_only=True)
class JSONValidity(Metric):
    """1.0 when the response is JSON that fits the `schema`, else 0.0; higher is better.

    Without a schema any JSON is valid. The whole response counts as a program would read it: prose
    or a Markdown fence around the JSON, NaN and Infinity are not JSON. Each violation stands in the
    evidence with its place. References in the schema are looked up within it, never fetched.
    A blank response gives 0. Unscored: a value nested too deep to be checked. Source: RFC 8259;
    JSON Schema.
    """

    name: str = "json_validity"
    schema: Mapping[str, Any] | bool | None = field(default=None, hash=False)

    silent = frozenset({"schema"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.schema is not None:
            _check(self.schema)

    def measure(self, response: str) -> MetricResult:
        """Parse the response, and check it against the schema."""
        if blank(response):
            return MetricResult(0.0, reason="the response is blank")
        try:
            value = pydantic_core.from_json(response, allow_inf_nan=False)
        except ValueError as error:
            piece = Evidence("not JSON", "invalid", str(error), (whole("response", response),))
            return MetricResult(0.0, reason=f"not JSON: {error}", evidence=(piece,))
        found = [] if self.schema is None else _violations(self.schema, value)
        if not found:
            return MetricResult(
                1.0, reason="valid JSON" + ("" if self.schema is None else " of the form")
            )
        return MetricResult(
            0.0,
            reason="; ".join(f"{piece.text}: {piece.reason}" for piece in found),
            evidence=tuple(found),
        )


def _check(schema: Mapping[str, Any] | bool) -> None:
    kind = _validator_class(schema)
    from jsonschema.exceptions import SchemaError

    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise UsageError(
            f"the schema is no JSON Schema: {error.message} at {error.json_path}"
        ) from None


def _violations(schema: Mapping[str, Any] | bool, value: Any) -> list[Evidence]:
    kind = _validator_class(schema)
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    validator = kind(schema, registry=Registry())  # this registry fetches nothing
    try:
        errors = list(islice(validator.iter_errors(value), _SHOWN))
    except Unresolvable as error:
        raise UsageError(f"the schema refers to {error.ref!r}, which it does not hold") from None
    except RecursionError:
        raise Unscored("too_long", "the value or the schema is nested too deep") from None
    return [Evidence(error.json_path, "invalid", error.message[:_LETTERS]) for error in errors]


def _validator_class(schema: Mapping[str, Any] | bool) -> Any:
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.validators import validator_for
    except ImportError:
        raise MissingExtra("checking JSON against a schema", "json") from None
    return validator_for(schema, default=Draft202012Validator)

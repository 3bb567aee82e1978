"""How well the arguments of a call match those of a reference call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ragstone.errors import Unscored, UsageError
from ragstone.metrics import catalogue
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.metrics.agent._calls import canonical
from ragstone.metrics.agent._pairing import Scores
from ragstone.metrics.base import Metric
from ragstone.schema.messages import ToolCall
from ragstone.schema.results import MetricResult
from ragstone.tools.toolbox import Toolbox

__all__ = ["Comparison", "comparison", "differences", "score_arguments", "tools_wanted"]

Comparison = Metric | Callable[[Any, Any], Any] | None
"""Scores an argument, 0 to 1: a metric of texts, a function (expected, got), or equality."""

_READ = {"reference", "response"}


def comparison(given: object) -> Comparison:
    """The comparison that a parameter names: by itself, or as the name or spec of a metric.

    Raises UsageError for what cannot compare two arguments on a scale from 0 to 1.
    """
    if isinstance(given, str) and ":" in given:
        raise UsageError(f"arg_comparison was the function {given}; pass that function itself")
    if isinstance(given, str):
        given = catalogue.from_spec({given: {}})
    elif isinstance(given, Mapping):
        given = catalogue.from_spec(given)
    if isinstance(given, Metric):
        if set(given.needs.required) != _READ:
            raise UsageError(f"arg_comparison {given.name!r} must read response and reference only")
        if (given.low, given.high, given.higher_is_better) != (0.0, 1.0, True):
            raise UsageError(f"arg_comparison {given.name!r} must give 0 to 1, 1 for equal texts")
        return given
    if given is None or callable(given):
        return given
    raise UsageError(
        "arg_comparison takes a metric, the name of one, or a function (expected, got) -> 0 to 1, "
        f"not {given!r}"
    )


def tools_wanted(compare: Comparison) -> tuple[str, ...]:
    """The tools that a comparison needs and does not have itself."""
    if not isinstance(compare, Metric):
        return ()
    own = {"judge": compare.llm, "embedder": compare.embeddings}
    return tuple(tool for tool in compare.needs.tools if own[tool] is None)


async def score_arguments(
    compare: Comparison, made: Sequence[ToolCall], expected: Sequence[ToolCall], tools: Toolbox
) -> Scores:
    """The score of each call made (rows) with each reference call (columns) of the same name.

    The mean over the reference call's arguments; further arguments do not count. When that has
    none: 1 for a call without arguments, else 0. Equal arguments score 1 without being compared.
    """
    asked = {
        (canonical(value), canonical(call.args[name])): (value, call.args[name])
        for call in made
        for wanted in expected
        if call.name == wanted.name
        for name, value in wanted.args.items()
        if name in call.args and not _same(value, call.args[name])
    }
    found = await together(_compare(compare, *values, tools) for values in asked.values())
    scores = dict(zip(asked, found, strict=True))

    def score(call: ToolCall, wanted: ToolCall) -> float | None:
        if call.name != wanted.name:
            return None
        if not wanted.args:
            return float(not call.args)
        return sum(one(call, name, value) for name, value in wanted.args.items()) / len(wanted.args)

    def one(call: ToolCall, name: str, value: Any) -> float:
        if name not in call.args:
            return 0.0
        return scores.get((canonical(value), canonical(call.args[name])), 1.0)

    return [[score(call, wanted) for wanted in expected] for call in made]


def differences(call: ToolCall, wanted: ToolCall) -> str:
    """What differs in the arguments, in words; empty when nothing does."""
    parts = [
        f"{name}: {_text(call.args[name])!r} instead of {_text(value)!r}"
        if name in call.args
        else f"{name}: missing"
        for name, value in wanted.args.items()
        if name not in call.args or not _same(value, call.args[name])
    ]
    parts += [f"{name}: not in the reference" for name in call.args if name not in wanted.args]
    return "; ".join(parts)


async def _compare(compare: Comparison, expected: Any, got: Any, tools: Toolbox) -> float:
    if compare is None:
        return 0.0
    if isinstance(compare, Metric):
        return await _by_metric(compare, _text(expected), _text(got), tools)
    value = compare(expected, got)
    if inspect.isawaitable(value):
        value = await value
    if not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise UsageError(
            f"arg_comparison gave {value!r} for {expected!r} and {got!r}; it must give 0 to 1"
        )
    return float(value)


async def _by_metric(metric: Metric, expected: str, got: str, tools: Toolbox) -> float:
    if blank(expected) or blank(got):
        return 0.0  # they differ, and there is nothing to compare with
    fields = {"reference": expected, "response": got}
    result: MetricResult = await metric.run(fields, metric.tools_from(tools))
    if result.status == "unscored":
        raise Unscored(
            result.code or "not_applicable",
            f"{metric.key} has no score for the arguments {expected!r} and {got!r}",
        )
    return float(result)


def _same(value: Any, other: Any) -> bool:
    return _text(value) == _text(other)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)

"""Whether a difference between two runs can come only from what was evaluated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ragstone.errors import UsageError
from ragstone.metrics.catalogue import from_spec
from ragstone.metrics.signature import TOOLS
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run

__all__ = ["INPUTS", "metric_info", "obstacle", "versus", "warnings_of"]

INPUTS = ("user_input", "reference")
"""The fields that make a row the same question in two runs."""


def obstacle(a: Run, b: Run, metric: str) -> str | None:
    """What else could have moved this metric: other parameters, prompts, judge or embedder.

    None when there is nothing of that.
    """
    one, other = metric_info(a, metric), metric_info(b, metric)
    if not one.same_class(other):
        return f"its classes differ: {one.defined_in} and {other.defined_in}"
    if one.spec != other.spec:
        return "its parameters differ"
    if one.prompts != other.prompts:
        return "its prompts differ"
    tools = _tools(one)
    if "judge" in tools and a.judge != b.judge:
        return f"the judges differ: {versus(a.judge, b.judge)}"
    if "embedder" in tools and a.embedder != b.embedder:
        return f"the embedders differ: {versus(a.embedder, b.embedder)}"
    return None


def _tools(info: MetricInfo) -> Collection[str]:
    """The tools that a metric uses; of a metric that cannot be rebuilt, all that it might use."""
    try:
        return from_spec(info.spec, defined_in=info.defined_in).needs.tools
    except UsageError:
        return TOOLS


def metric_info(run: Run, metric: str) -> MetricInfo:
    """The metric with that key; KeyError when the run has none."""
    return {info.key: info for info in run.metrics}[metric]


def warnings_of(a: Run, b: Run, changed: Mapping[str, int], by: str) -> Iterator[str]:
    """What stands in the way of believing a comparison, one sentence each."""
    for run in (a, b):
        if run.state != "done":
            yield f"The run {run.name!r} is not finished; only its measured rows count."
    for field in INPUTS:
        if field in changed:
            noun, verb = ("row", "differs") if changed[field] == 1 else ("rows", "differ")
            yield (
                f"{changed[field]:,} matched {noun} (by {by}) {verb} in {field!r}: "
                "not the same question in both runs."
            )
    if a.group_by != b.group_by:
        yield (
            f"The runs do not name the same group column; the rows are grouped by "
            f"{a.group_by or b.group_by!r}."
        )


def versus(one: JudgeInfo | None, other: JudgeInfo | None) -> str:
    """Two judges (or embedders) in words: their names, or the settings in which they differ."""
    names = [info.name if info else "none" for info in (one, other)]
    if names[0] != names[1] or one is None or other is None:
        return f"{names[0]} and {names[1]}"
    keys = sorted({*one.settings, *other.settings})
    parts = [
        f"{key} {one.settings.get(key)!r} and {other.settings.get(key)!r}"
        for key in keys
        if one.settings.get(key) != other.settings.get(key)
    ]
    return f"{names[0]} with {', '.join(parts) or 'another kind'}"

"""The plan of an evaluation, checked before the first call is paid for."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ragstone.errors import BadDataset, MissingField, UsageError
from ragstone.metrics.base import Metric
from ragstone.schema.samples import Sample
from ragstone.tools.toolbox import Toolbox

__all__ = ["Plan", "choose_defaults", "make_plan"]


@dataclass(frozen=True)
class Plan:
    """What will be measured: every metric on every sample, with which tools.

    `left_out` names default metrics that the data cannot feed, with the reason.
    """

    samples: Sequence[Sample]
    metrics: tuple[Metric, ...]
    tools: Toolbox
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.samples) * len(self.metrics)


def make_plan(
    samples: Sequence[Sample],
    metrics: Iterable[Metric],
    tools: Toolbox,
    left_out: dict[str, str] | None = None,
) -> Plan:
    """Check that every metric can run on these samples with these tools.

    Raises BadDataset (no rows), UsageError (no metric, two metrics of one key), MissingField (a
    field that no row has), MissingTool.
    """
    if isinstance(metrics, Metric):
        raise UsageError(f"metrics takes a list: metrics=[{type(metrics).__name__}(...)]")
    metrics = tuple(metrics)
    if not len(samples):
        raise BadDataset("the data set has no rows")
    if not metrics:
        raise UsageError("there is no metric to measure; pass metrics=[Faithfulness(), ...]")
    _refuse_twins(metrics)
    metrics = tuple(copy.copy(metric) for metric in metrics)  # with the prompts of this moment
    features = _features(samples)
    for metric in metrics:
        for name in metric.needs.required:
            if name not in features:
                raise MissingField(metric.key, name, features)
        own = metric.tools_from(tools)
        for tool in metric.needs.tools:
            own.get(tool, metric.key)
    return Plan(samples, metrics, tools, dict(left_out or {}))


def choose_defaults(
    samples: Sequence[Sample], defaults: Sequence[Metric]
) -> tuple[list[Metric], dict[str, str]]:
    """Those of the default metrics that the data can feed, and why the others were left out."""
    features = _features(samples)
    lacking = {m.key: [n for n in m.needs.required if n not in features] for m in defaults}
    left_out = {key: f"the data lack {', '.join(names)}" for key, names in lacking.items() if names}
    return [metric for metric in defaults if metric.key not in left_out], left_out


def _features(samples: Sequence[Sample]) -> set[str]:
    features: set[str] = set()
    for sample in samples:
        features.update(sample.get_features())
    return features


def _refuse_twins(metrics: Sequence[Metric]) -> None:
    seen: set[str] = set()
    for metric in metrics:
        if not isinstance(metric, Metric):
            raise UsageError(f"{metric!r} is not a metric; write Faithfulness(), with parentheses")
        if metric.key in seen:
            raise UsageError(f"two metrics have the key {metric.key!r}; give one another name=")
        seen.add(metric.key)

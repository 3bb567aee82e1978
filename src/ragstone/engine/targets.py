"""What a rule is about: a metric of a run, or one label of a metric that gives labels."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics.catalogue import from_spec
from ragstone.metrics.rubric.discrete import DiscreteMetric
from ragstone.schema.runs import MetricInfo
from ragstone.stats.runs import MetricLine

__all__ = ["Target", "find_target"]


@dataclass(frozen=True, slots=True)
class Target:
    """A metric (its line of the run's summary), or how often it gave `label`."""

    line: MetricLine
    label: str | None = None

    @property
    def key(self) -> str:
        """The key of the metric."""
        return self.line.info.key

    @property
    def name(self) -> str:
        """METRIC, or METRIC.LABEL."""
        return self.key if self.label is None else f"{self.key}.{self.label}"

    @property
    def range(self) -> tuple[float | None, float | None]:
        """The least and the greatest value, None where there is no end."""
        return (self.line.info.low, self.line.info.high) if self.label is None else (0.0, 1.0)


def find_target(name: str, lines: Mapping[str, MetricLine]) -> Target:
    """The metric of that key; or of METRIC.LABEL, the metric and the label.

    Raises UsageError: neither is known (with the near names), labels where numbers are needed.
    """
    if name in lines:
        return Target(_with_numbers(lines[name]))
    for dot in (n for n, letter in enumerate(name) if letter == "."):
        if (line := lines.get(name[:dot])) is not None:
            return Target(line, _known_label(line, name[dot + 1 :]))
    near = difflib.get_close_matches(name, lines, n=2, cutoff=0.5)
    hint = f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""
    raise UsageError(f"no metric {name!r} in this run{hint}; it has: {', '.join(lines)}")


def _with_numbers(line: MetricLine) -> MetricLine:
    if line.shares:
        key, labels = line.info.key, ", ".join(line.shares)
        some = next(iter(line.shares))
        raise UsageError(
            f"{key!r} gives labels ({labels}), so it has no mean; "
            f"ask for the share of one: {key}.{some}=0.9"
        )
    return line


def _known_label(line: MetricLine, label: str) -> str:
    if line.n_scored and not line.shares:
        raise UsageError(f"{line.info.key!r} gives numbers, so it has no label {label!r}")
    known = dict.fromkeys([*line.shares, *_declared_labels(line.info)])
    if label not in known:
        raise UsageError(
            f"{line.info.key!r} has no label {label!r}; it has: {', '.join(known) or 'none'}"
        )
    return label


def _declared_labels(info: MetricInfo) -> Iterable[str]:
    """The labels that a metric may give, as far as its configuration tells."""
    try:
        metric = from_spec(info.spec)
    except UsageError:
        return ()
    return map(str, metric.allowed_values) if isinstance(metric, DiscreteMetric) else ()

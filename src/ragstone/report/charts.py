"""The distribution of a metric as the boxes of a small chart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragstone.report.numbers import score_text
from ragstone.stats.runs import MetricLine

__all__ = ["Bar", "Chart", "Whisker", "chart"]

LEFT, RIGHT, TOP, BASE = 6.0, 314.0, 14.0, 74.0
_SIDE = 22.0
_BINS = 10
_WIDEST = 44.0
Tick = tuple[float, str, str]
_STEPS = 12  # so many whole numbers get one bar each


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its box, its count, what it counts; kind is value, unscored, failed, pending."""

    x: float
    width: float
    height: float
    count: int
    title: str
    kind: str = "value"
    label: str = ""

    @property
    def y(self) -> float:
        """Top edge."""
        return BASE - self.height

    @property
    def middle(self) -> float:
        """Horizontal middle."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Whisker:
    """Mean and interval on the axis of the chart."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A histogram: bars, axis labels as (x, anchor, text), and the mean with its interval."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    right: float
    whisker: Whisker | None


@dataclass(frozen=True, slots=True)
class _Bin:
    low: float
    high: float
    count: int
    title: str


def chart(line: MetricLine, values: Sequence[float]) -> Chart | None:
    """The histogram of the scored values of a numeric metric; None when there is no value.

    Rows without a score stand apart at the right, by kind.
    """
    summary = line.summary
    if summary is None or summary.mean is None or not values:
        return None
    low, high = _limits(line, values)
    bins = _bins(values, low, high)
    aside = _aside(line)
    right = RIGHT - len(aside) * _SIDE - (6 if aside else 0)
    most = max(count for count in [*(one.count for one in bins), *(n for _, _, n in aside)])
    first, last = bins[0].low, bins[-1].high

    def x(value: float) -> float:
        return round(LEFT + (value - first) / (last - first) * (right - LEFT), 2)

    def height(count: int) -> float:
        return round((BASE - TOP) * count / most, 2)

    wide = round(min(_WIDEST, x(bins[0].high) - x(bins[0].low) - 1), 2)
    bars = [
        Bar(round(x((b.low + b.high) / 2) - wide / 2, 2), wide, height(b.count), b.count, b.title)
        for b in bins
    ]
    bars += [
        Bar(right + 8 + _SIDE * n, _SIDE - 4, height(count), count, kind, kind, sign)
        for n, (kind, sign, count) in enumerate(aside)
    ]
    interval = summary.interval
    whisker = Whisker(
        x(summary.mean),
        None if interval is None else x(max(interval.low, first)),
        None if interval is None else x(min(interval.high, last)),
    )
    return Chart(tuple(bars), _ticks(bins, x), right, whisker)


def _limits(line: MetricLine, values: Sequence[float]) -> tuple[float, float]:
    low, high = line.info.low, line.info.high
    least = min(values) if low is None or math.isinf(low) else low
    most = max(values) if high is None or math.isinf(high) else high
    return (least, most) if least < most else (least - 0.5, least + 0.5)


def _bins(values: Sequence[float], low: float, high: float) -> list[_Bin]:
    whole = all(value == round(value) for value in values) and low == round(low)
    if whole and 0 < high - low < _STEPS and high == round(high):
        return [
            _Bin(step - 0.5, step + 0.5, sum(v == step for v in values), f"{step}")
            for step in range(round(low), round(high) + 1)
        ]
    width = (high - low) / _BINS
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, max(0, math.floor((value - low) / (high - low) * _BINS)))] += 1
    edges = [low + width * n for n in range(_BINS)] + [high]
    return [
        _Bin(a, b, count, f"{score_text(a)} to {score_text(b)}")
        for a, b, count in zip(edges, edges[1:], counts, strict=False)
    ]


def _aside(line: MetricLine) -> list[tuple[str, str, int]]:
    kinds = [
        ("unscored", "∅", sum(line.unscored.values())),
        ("failed", "✗", sum(line.failed.values())),
        ("pending", "…", line.pending),
    ]
    return [kind for kind in kinds if kind[2]]


def _ticks(bins: Sequence[_Bin], x: Callable[[float], float]) -> tuple[Tick, ...]:
    if bins[0].title == str(round(bins[0].low + 0.5)):  # one bar for each whole number
        return tuple((x((b.low + b.high) / 2), "middle", b.title) for b in bins)
    low, high = bins[0].low, bins[-1].high
    places = ((low, "start"), ((low + high) / 2, "middle"), (high, "end"))
    return tuple((x(value), anchor, f"{value:,.4g}") for value, anchor in places)

"""Measures of agreement, as functions of how often each row counts.

Each takes scores (higher: more positive) or verdicts and people's labels, and returns a function
from weights, one a row, to the value. A row of weight 2 counts as two equal rows, so a resample of
the bootstrap is a vector of weights and nothing has to be sorted again. The value is NaN where the
weighted rows do not define it (one label only, no spread).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ragstone.stats.values import Floats

__all__ = [
    "Weighted",
    "accuracy",
    "auroc",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "mean",
    "pearson",
    "spearman",
]

Weighted = Callable[[Floats], float]


def auroc(scores: Floats, labels: Floats) -> Weighted:
    """Area under the ROC curve, 0 to 1: a positive row scores above a negative; ties count half."""
    place = _places(scores)

    def value(weights: Floats) -> float:
        positive = np.bincount(place, weights * labels)
        negative = np.bincount(place, weights * (1 - labels))
        below = np.cumsum(negative) - negative / 2
        return _ratio(float(positive @ below), float(positive.sum() * negative.sum()))

    return value


def balanced_accuracy(verdicts: Floats, labels: Floats) -> Weighted:
    """Mean of the shares found right among the positives and among the negatives, 0 to 1."""
    hits, rejections = verdicts * labels, (1 - verdicts) * (1 - labels)

    def value(weights: Floats) -> float:
        among_positive = _ratio(float(weights @ hits), float(weights @ labels))
        among_negative = _ratio(float(weights @ rejections), float(weights @ (1 - labels)))
        return (among_positive + among_negative) / 2

    return value


def accuracy(verdicts: Floats, labels: Floats) -> Weighted:
    """Share of the rows with the right verdict, 0 to 1."""
    return mean((verdicts == labels).astype(np.float64))


def f1(verdicts: Floats, labels: Floats) -> Weighted:
    """F1 of the positive label, 0 to 1."""
    hits, named = verdicts * labels, verdicts + labels
    return lambda weights: _ratio(2 * float(weights @ hits), float(weights @ named))


def mean(values: Floats) -> Weighted:
    """The mean of values that stand for themselves, such as the average precision of a question."""
    return lambda weights: _ratio(float(weights @ values), float(weights.sum()))


def pearson(scores: Floats, labels: Floats) -> Weighted:
    """Pearson's correlation, -1 to 1."""
    return lambda weights: _correlation(scores, labels, weights)


def spearman(scores: Floats, labels: Floats) -> Weighted:
    """Spearman's rank correlation, -1 to 1; ties share the mean of their ranks."""
    places = _places(scores), _places(labels)

    def value(weights: Floats) -> float:
        return _correlation(_ranks(places[0], weights), _ranks(places[1], weights), weights)

    return value


def average_precision(scores: Sequence[float], relevant: Sequence[float]) -> float:
    """Average precision of one ranking, 0 to 1; NaN when nothing is relevant.

    Items of one score are in no order: each counts the precision it has on average over all orders.
    Source: McSherry and Najork 2008, Computing information retrieval performance measures
    efficiently in the presence of tied scores.
    """
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    ranked = np.asarray(scores, dtype=np.float64)[order]
    right = np.asarray(relevant, dtype=np.float64)[order]
    total, before, start = 0.0, 0.0, 0
    while start < len(ranked):
        end = int(np.searchsorted(-ranked, -ranked[start], side="right"))
        count, hits = end - start, float(right[start:end].sum())
        for rank in range(1, count + 1):
            others = (rank - 1) * (hits - 1) / (count - 1) if count > 1 else 0.0
            total += hits / count * (before + others + 1) / (start + rank)
        before, start = before + hits, end
    return _ratio(total, before)


def _places(values: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def _ranks(place: np.ndarray[tuple[int], np.dtype[np.intp]], weights: Floats) -> Floats:
    counts = np.bincount(place, weights)
    ranks: Floats = (np.cumsum(counts) - counts / 2)[place]
    return ranks


def _correlation(x: Floats, y: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    if total == 0:
        return float("nan")
    dx, dy = x - float(weights @ x) / total, y - float(weights @ y) / total
    spread_x, spread_y = float(weights @ dx**2), float(weights @ dy**2)
    if min(spread_x, spread_y) <= 1e-18 * max(1.0, float(np.abs(x).max()), float(np.abs(y).max())):
        return float("nan")
    return float(weights @ (dx * dy)) / float(np.sqrt(spread_x * spread_y))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")

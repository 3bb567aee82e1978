"""Scores out of counts."""

from __future__ import annotations

from typing import Literal

__all__ = ["CountMode", "f_beta", "precision", "recall"]

CountMode = Literal["precision", "recall", "f1"]


def precision(tp: int, fp: int) -> float:
    """TP / (TP + FP); 0.0 when nothing was claimed."""
    return tp / (tp + fp) if tp + fp else 0.0


def recall(tp: int, fn: int) -> float:
    """TP / (TP + FN); 0.0 when nothing was expected."""
    return tp / (tp + fn) if tp + fn else 0.0


def f_beta(p: float, r: float, beta: float = 1.0) -> float:
    """Weighted harmonic mean of precision and recall; beta above 1 favors recall; 0.0 for 0, 0."""
    weight = beta * beta
    below = weight * p + r
    return (1 + weight) * p * r / below if below else 0.0

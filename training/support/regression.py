"""Logistic regression with a ridge, by Newton's method, and the two measures of a ranking."""

from __future__ import annotations

import numpy as np

from ragstone.bench.agreement import measures


def fit(values: np.ndarray, labels: np.ndarray, weights: np.ndarray, ridge: float):
    """Return bias and coefficients in the units of `values`; `ridge` acts on standardized ones."""
    mean, scale = values.mean(axis=0), values.std(axis=0) + 1e-9
    x = np.hstack([np.ones((len(values), 1)), (values - mean) / scale])
    penalty = ridge * np.eye(x.shape[1])
    penalty[0, 0] = 0.0
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (weights * (p - labels)) + penalty @ w
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-10:
            break
    coefficients = w[1:] / scale
    return float(w[0] - coefficients @ mean), coefficients


def fit_signed(
    values: np.ndarray, labels: np.ndarray, weights: np.ndarray, ridge: float, signs: np.ndarray
):
    """As `fit`, with each coefficient of the sign 1 or -1 that `signs` gives, or 0."""
    kept = signs != 0
    while True:
        bias, found = fit(values[:, kept], labels, weights, ridge)
        coefficients = np.zeros(values.shape[1])
        coefficients[kept] = found
        wrong = kept & (coefficients * signs < 0)
        if not wrong.any():
            return bias, coefficients
        kept &= np.arange(len(kept)) != np.argmin(
            np.where(wrong, coefficients * signs * values.std(axis=0), 0.0)
        )


def balanced_weights(groups: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weights under which every set, and within it either label, counts the same; mean 1."""
    weights = np.zeros(len(labels))
    for group in np.unique(groups):
        for label in (0, 1):
            here = (groups == group) & (labels == label)
            if here.any():
                weights[here] = 1.0 / here.sum()
    return weights * len(labels) / weights.sum()


def auroc(scores: np.ndarray, labels: np.ndarray) -> float:
    """Area under the ROC curve of rows that all count the same."""
    return measures.auroc(scores, labels.astype(float))(np.ones(len(scores)))


def balanced_accuracy(scores: np.ndarray, labels: np.ndarray, threshold: float) -> float:
    """Balanced accuracy of the verdicts at a threshold, of rows that all count the same."""
    verdicts = (scores >= threshold).astype(float)
    return measures.balanced_accuracy(verdicts, labels.astype(float))(np.ones(len(scores)))


def best_threshold(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    """The threshold of the best balanced accuracy under `weights`, on a grid of hundredths."""
    grid = np.arange(0.05, 0.96, 0.01)

    def quality(t: float) -> float:
        right = (scores >= t) == (labels == 1)
        return float((weights * right).sum())

    return round(float(max(grid, key=lambda t: (quality(t), -abs(t - 0.5)))), 2)

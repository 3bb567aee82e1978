"""Fit the coefficients of the local judge's support model and write support.json.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/fit.py

Only rows that the cross-encoder has not learned from are used: those of people, and those of
made.py. A feature whose coefficient comes out with the wrong sign is left out and the rest fitted
again: more agreement can never make support less likely. So the model carries over to other data.
"""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
from evaluate import report
from made import NAME as MADE
from measured import Measured, single
from regression import balanced_weights, best_threshold, fit_signed

import ragstone.local as room
from data import FITTED
from ragstone.local.features import FEATURES
from ragstone.local.logistic import load_model

VERSION = "3"
RIDGE = 10.0
AGAINST = {"rarest_absent", "absent_numbers", "absent_names", "missing"}
"""Features that can only speak against support; all others can only speak for it."""

Fit = tuple[float, np.ndarray, float]


def fit_support(groups: np.ndarray, found: list[Measured]) -> Fit:
    """Bias, coefficients, and the share of the probability that a conflict leaves.

    The first two from rows without a conflict. The share is how many of people's rows with one are
    supported after all, over how many the model would have expected.
    """
    conflict = np.array([bool(m.conflicts[0]) for m in found])
    values = np.array([m.lines[0] for m in found])
    labels = np.array([float(m.row.supported) for m in found])
    signs = np.array([-1.0 if name in AGAINST else 1.0 for name in FEATURES])
    weights = balanced_weights(groups[~conflict], labels[~conflict])
    bias, coefficients = fit_signed(values[~conflict], labels[~conflict], weights, RIDGE, signs)
    of_people = conflict & (groups != MADE)
    expected = probabilities((bias, coefficients, 1.0), found)[of_people]
    left = (labels[of_people].sum() + 1) / (expected.sum() + 1)
    return bias, coefficients, min(1.0, float(left))


def probabilities(fitted: Fit, found: list[Measured]) -> np.ndarray:
    """Of claims of one sentence."""
    bias, coefficients, left = fitted
    values = np.array([m.lines[0] for m in found])
    plain = 1 / (1 + np.exp(-(bias + values @ coefficients)))
    return np.where([bool(m.conflicts[0]) for m in found], plain * left, plain)


def main() -> None:
    groups, found = single((*FITTED, MADE))
    labels = np.array([float(m.row.supported) for m in found])
    folds = np.array([m.row.fold for m in found])
    foretold = np.zeros(len(found))
    for fold in range(5):
        rest = [m for m in found if m.row.fold != fold]
        fitted = fit_support(groups[folds != fold], rest)
        foretold[folds == fold] = probabilities(fitted, [m for m in found if m.row.fold == fold])
    threshold = best_threshold(foretold, labels, balanced_weights(groups, labels))
    bias, coefficients, left = fit_support(groups, found)
    print(write(bias - log(threshold / (1 - threshold)), coefficients, left))
    print(f"cross-fitted, every part foretold from the other four; threshold {threshold}")
    for name in (*FITTED, MADE):
        here = groups == name
        report(
            name,
            [m for m, kept in zip(found, here, strict=True) if kept],
            foretold[here],
            threshold,
        )


def write(bias: float, coefficients: np.ndarray, left: float) -> str:
    """Write support.json; the bias holds the threshold, so that the verdict falls at 0.5."""
    weights = dict(zip(FEATURES, [round(float(w), 5) for w in coefficients], strict=True))
    data = {
        "version": VERSION,
        "threshold": 0.5,
        "models": {"supported": {"bias": round(bias, 5), "weights": weights}},
        "rates": {"left_in_conflict": round(left, 4)},
    }
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "support.json").write_text(text, encoding="utf-8")
    load_model.cache_clear()
    return text


if __name__ == "__main__":
    main()

"""Fit the coefficients of the local judge's support model and write support.json.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/fit.py

A feature whose coefficient comes out with the wrong sign is left out and the rest fitted again:
more agreement can never make support less likely. So the model carries over to other data.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from measured import measured, single_lines
from regression import balanced_weights, best_threshold, fit_signed

import ragstone.local as room
from data import FITTED, Row
from ragstone.local.features import FEATURES

VERSION = "1"
RIDGE = 10.0
AGAINST = {
    "rarest_absent",
    "absent_numbers",
    "number_clash",
    "absent_names",
    "names_not_in_window",
    "negation_differs",
    "antonym",
    "evidence_length",
}
"""Features that can only speak against support; all others can only speak for it."""
CONFLICTS = {"number_clash", "negation_differs", "antonym"}
"""Features that can tell a contradiction from silence: conflicts that a person can be shown."""


def pooled(names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray, list[Row]]:
    """Set, features and row of every one-sentence claim of the sets."""
    parts = [(name, *single_lines(measured(name))) for name in names]
    groups = np.array([name for name, rows, _ in parts for _ in rows])
    values = np.vstack([lines for _, _, lines in parts])
    return groups, values, [row for _, rows, _ in parts for row in rows]


def fit_support(groups: np.ndarray, values: np.ndarray, rows: list[Row]):
    """Bias and coefficients of the model of support."""
    labels = np.array([float(row.supported) for row in rows])
    signs = np.array([-1.0 if name in AGAINST else 1.0 for name in FEATURES])
    return fit_signed(values, labels, balanced_weights(groups, labels), RIDGE, signs)


def fit_contradiction(groups: np.ndarray, values: np.ndarray, rows: list[Row]):
    """Bias and coefficients of the model that tells contradiction from silence."""
    known = np.array([not row.supported and row.contradicted is not None for row in rows])
    against = np.array([bool(row.contradicted) for row in rows])
    for name in set(groups):
        here = known & (groups == name)
        if against[here].all() or not against[here].any():
            known &= ~here  # a set with one kind alone would only teach what that set is like
    labels = against[known].astype(float)
    signs = np.array([1.0 if name in CONFLICTS else 0.0 for name in FEATURES])
    weights = balanced_weights(groups[known], labels)
    return fit_signed(values[known], labels, weights, RIDGE, signs)


def main() -> None:
    groups, values, rows = pooled(FITTED)
    held_out = np.array([row.held_out for row in rows])
    seen_rows = [row for row in rows if not row.held_out]
    bias, coefficients = fit_support(groups[~held_out], values[~held_out], seen_rows)
    scores = 1 / (1 + np.exp(-(bias + values[held_out] @ coefficients)))
    labels = np.array([float(row.supported) for row in rows])[held_out]
    threshold = best_threshold(scores, labels, balanced_weights(groups[held_out], labels))
    contradiction = fit_contradiction(groups[~held_out], values[~held_out], seen_rows)
    write(threshold, supported=(bias, coefficients), contradicted_if_not_supported=contradiction)


def write(threshold: float, **models) -> None:
    data = {
        "version": VERSION,
        "threshold": threshold,
        "models": {
            name: {
                "bias": round(bias, 5),
                "weights": dict(zip(FEATURES, [round(float(w), 5) for w in values], strict=True)),
            }
            for name, (bias, values) in models.items()
        },
    }
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "support.json").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Fit the coefficients of the local judge's support model and write support.json.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/fit.py

A feature whose coefficient comes out with the wrong sign is left out and the rest fitted again:
more agreement can never make support less likely. So the model carries over to other data.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from evaluate import load, score
from measured import Measured, single
from regression import balanced_weights, best_threshold, fit_signed

import ragstone.local as room
from data import FITTED
from ragstone.local.features import FEATURES
from ragstone.local.logistic import load_model

VERSION = "1"
RIDGE = 10.0
AGAINST = {"rarest_absent", "absent_numbers", "absent_names"}
"""Features that can only speak against support; all others can only speak for it."""


def fit_support(groups: np.ndarray, found: list[Measured]) -> tuple[float, np.ndarray]:
    """Bias and coefficients of the model of support, on rows without a conflict."""
    plain = np.array([not m.conflicts[0] for m in found])
    values = np.array([m.lines[0] for m in found])[plain]
    labels = np.array([float(m.row.supported) for m in found])[plain]
    signs = np.array([-1.0 if name in AGAINST else 1.0 for name in FEATURES])
    return fit_signed(values, labels, balanced_weights(groups[plain], labels), RIDGE, signs)


def rates(groups: np.ndarray, found: list[Measured]) -> dict[str, float]:
    """The frequencies that stand where the features cannot tell.

    How often a claim is contradicted is taken from the sets that have both kinds of unsupported
    claims, each counting the same.
    """
    conflict = [m for m in found if m.conflicts[0]]
    known = [
        (name, m.row.contradicted)
        for name, m in zip(groups, found, strict=True)
        if not m.row.supported and m.row.contradicted is not None and not m.conflicts[0]
    ]
    by_set = [[c for n, c in known if n == name] for name in sorted(set(groups))]
    shares = [sum(told) / len(told) for told in by_set if 0 < sum(told) < len(told)]
    unsupported = [m for m in conflict if not m.row.supported and m.row.contradicted is not None]
    return {
        "supported_in_conflict": sum(m.row.supported for m in conflict) / len(conflict),
        "contradicted_in_conflict": sum(bool(m.row.contradicted) for m in unsupported)
        / len(unsupported),
        "contradicted_without_conflict": sum(shares) / len(shares),
    }


def main() -> None:
    groups, found = single(FITTED)
    held_out = np.array([m.row.held_out for m in found])
    seen = [m for m in found if not m.row.held_out]
    bias, coefficients = fit_support(groups[~held_out], seen)
    frequencies = rates(groups[~held_out], seen)
    write(0.5, bias, coefficients, frequencies)
    rest = [m for m in found if m.row.held_out]
    labels = np.array([float(m.row.supported) for m in rest])
    scores = np.array([score(load(), m) for m in rest])
    threshold = best_threshold(scores, labels, balanced_weights(groups[held_out], labels))
    print(write(threshold, bias, coefficients, frequencies))


def write(
    threshold: float, bias: float, coefficients: np.ndarray, frequencies: dict[str, float]
) -> str:
    weights = dict(zip(FEATURES, [round(float(w), 5) for w in coefficients], strict=True))
    data = {
        "version": VERSION,
        "threshold": threshold,
        "models": {"supported": {"bias": round(bias, 5), "weights": weights}},
        "rates": {name: round(rate, 4) for name, rate in frequencies.items()},
    }
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "support.json").write_text(text, encoding="utf-8")
    load_model.cache_clear()
    return text


if __name__ == "__main__":
    main()

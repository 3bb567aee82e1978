"""Fit and measure the coefficients that say whether a response gives the reference answer.

    RAGSTONE_LABELLED_DATA=FOLDER python training/equivalence/fit.py [--held-out]

Fitted on four fifths of the questions of dev/evouna_tq, and cross-validated on these by question.
The last fifth is measured with --held-out, when nothing is to be chosen any more. Writes
equivalence.json next to the installed ragstone.local.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from regression import auroc, fit_signed

import ragstone.local as room
from data import hashed, raw
from ragstone.local.answermatch import Answers
from ragstone.local.encoder import encoder
from ragstone.local.equivalence import FEATURES, features

VERSION = "1"
RIDGE = 1.0
AGAINST = {"other_number", "refuses"}
"""Features that can only speak against equivalence; all others can only speak for it."""
SIGNS = np.array([-1.0 if name in AGAINST else 1.0 for name in FEATURES])


def main() -> None:
    rows = list(raw("dev/evouna_tq"))
    labels = np.array([float(row["correct"]) for row in rows])
    fold = np.array([hashed(row["question"]) % 5 for row in rows])
    values = np.array([measured(row) for row in rows])
    seen = fold != 0
    crossed = np.zeros(len(rows))
    for part in range(1, 5):
        crossed[fold == part] = fitted(values, labels, seen & (fold != part))[fold == part]
    report("cross-validated", crossed[seen], labels[seen], values[seen])
    bias, coefficients = fit_signed(values[seen], labels[seen], np.ones(seen.sum()), RIDGE, SIGNS)
    write(bias, coefficients)
    if "--held-out" in sys.argv:
        report("held out", fitted(values, labels, seen)[~seen], labels[~seen], values[~seen])


def measured(row: dict) -> list[float]:
    return features(Answers(row["question"], row["references"], row["response"], encoder()))


def fitted(values: np.ndarray, labels: np.ndarray, on: np.ndarray) -> np.ndarray:
    """The probabilities of all rows under a model fitted on some."""
    bias, coefficients = fit_signed(values[on], labels[on], np.ones(on.sum()), RIDGE, SIGNS)
    return 1 / (1 + np.exp(-(bias + values @ coefficients)))


def report(name: str, scores: np.ndarray, labels: np.ndarray, values: np.ndarray) -> None:
    held = values[:, list(FEATURES).index("whole")]
    print(
        f"{name}: {len(labels)} rows, accuracy {np.mean((scores >= 0.5) == labels):.4f}, "
        f"AUROC {auroc(scores, labels):.4f}; reference held word for word: "
        f"accuracy {np.mean(held == labels):.4f}; mean probability {scores.mean():.3f}, "
        f"share equivalent {labels.mean():.3f}"
    )


def write(bias: float, coefficients: np.ndarray) -> None:
    weights = dict(zip(FEATURES, [round(float(w), 5) for w in coefficients], strict=True))
    models = {"equivalent": {"bias": round(bias, 5), "weights": weights}}
    data = {"version": VERSION, "threshold": 0.5, "models": models}
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "equivalence.json").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

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
AGAINST = {"refuses"}
"""Features that can only speak against equivalence; all others can only speak for it."""
SIGNS = np.array([-1.0 if name in AGAINST else 1.0 for name in FEATURES])


def main() -> None:
    rows = list(raw("dev/evouna_tq"))
    labels = np.array([float(row["correct"]) for row in rows])
    fold = np.array([hashed(row["question"]) % 5 for row in rows])
    compared = [compare(row) for row in rows]
    values = np.array([features(answers) for answers in compared])
    apart = np.array([answers.other_number for answers in compared])
    seen = fold != 0
    crossed = np.zeros(len(rows))
    for part in range(1, 5):
        others = seen & (fold != part)
        crossed[fold == part] = fitted(values, apart, labels, others)[fold == part]
    report("cross-validated", crossed[seen], labels[seen], values[seen])
    write(values, apart, labels, seen)
    if "--held-out" in sys.argv:
        scores = fitted(values, apart, labels, seen)
        report("held out", scores[~seen], labels[~seen], values[~seen])


def compare(row: dict) -> Answers:
    return Answers(row["question"], row["references"], row["response"], encoder())


def fit(values: np.ndarray, apart: np.ndarray, labels: np.ndarray, on: np.ndarray):
    """Bias and coefficients, and the frequency of right answers with another number."""
    bias, coefficients = fit_signed(values[on], labels[on], np.ones(on.sum()), RIDGE, SIGNS)
    return bias, coefficients, float(labels[on & apart].mean())


def fitted(values: np.ndarray, apart: np.ndarray, labels: np.ndarray, on: np.ndarray) -> np.ndarray:
    """The probabilities of all rows under a model fitted on some."""
    bias, coefficients, rate = fit(values, apart, labels, on)
    likely = 1 / (1 + np.exp(-(bias + values @ coefficients)))
    return np.where(apart, np.minimum(likely, rate), likely)


def report(name: str, scores: np.ndarray, labels: np.ndarray, values: np.ndarray) -> None:
    held = values[:, list(FEATURES).index("whole")]
    print(
        f"{name}: {len(labels)} rows, accuracy {np.mean((scores >= 0.5) == labels):.4f}, "
        f"AUROC {auroc(scores, labels):.4f}; reference held word for word: "
        f"accuracy {np.mean(held == labels):.4f}; mean probability {scores.mean():.3f}, "
        f"share equivalent {labels.mean():.3f}"
    )


def write(values: np.ndarray, apart: np.ndarray, labels: np.ndarray, on: np.ndarray) -> None:
    bias, coefficients, rate = fit(values, apart, labels, on)
    weights = dict(zip(FEATURES, [round(float(w), 5) for w in coefficients], strict=True))
    data = {
        "version": VERSION,
        "threshold": 0.5,
        "models": {"equivalent": {"bias": round(bias, 5), "weights": weights}},
        "rates": {"with_other_number": round(rate, 4)},
    }
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "equivalence.json").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Measure the support model, and plain word overlap beside it, on the labelled sets.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/evaluate.py

The fitted sets are measured on their held-out fifth, the others whole.
"""

from __future__ import annotations

import re

import numpy as np
from measured import Measured, measured
from regression import auroc, balanced_accuracy

from data import FITTED, UNSEEN, Row
from ragstone.local.features import FEATURES
from ragstone.local.logistic import Model, load_model
from ragstone.local.support import probability


def overlap(row: Row) -> float:
    """Share of the claim's different words that stand anywhere in the contexts."""
    claim = set(re.findall(r"\w+", row.claim.lower()))
    written = set(re.findall(r"\w+", " ".join(row.contexts).lower()))
    return len(claim & written) / max(1, len(claim))


def load() -> Model:
    """The coefficients that the judge uses."""
    return load_model("support.json", tuple(FEATURES))


def score(model: Model, found: Measured) -> float:
    """A claim of several sentences is as well supported as the worst of them."""
    return min(
        probability(model, line, conflict=bool(conflict), missing=bool(missing))
        for line, conflict, missing in zip(found.lines, found.conflicts, found.missing, strict=True)
    )


def main() -> None:
    model = load()
    print(f"threshold {model.threshold}; overlap has the best threshold of each set, BAcc*")
    print(f"{'set':24} {'rows':>5} {'AUROC':>6} {'BAcc':>6} {'overlap AUROC':>14} {'BAcc*':>6}")
    for name in (*FITTED, *UNSEEN):
        kept = [m for m in measured(name) if m.row.held_out or name in UNSEEN]
        labels = np.array([float(m.row.supported) for m in kept])
        scores = np.array([score(model, m) for m in kept])
        plain = np.array([overlap(m.row) for m in kept])
        best = max(balanced_accuracy(plain, labels, t) for t in np.unique(plain))
        print(
            f"{name:24} {len(labels):5} {auroc(scores, labels):6.3f} "
            f"{balanced_accuracy(scores, labels, model.threshold):6.3f} "
            f"{auroc(plain, labels):14.3f} {best:6.3f}"
        )


if __name__ == "__main__":
    main()

"""Measure the support model, and plain word overlap beside it, on the sets that nothing saw.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/evaluate.py

The fitted sets are measured by fit.py, which foretells each part from the others.
"""

from __future__ import annotations

import re

import numpy as np
from measured import Measured, measured
from regression import auroc, balanced_accuracy

from data import UNSEEN, Row
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
        probability(model, line, conflict=bool(conflict))
        for line, conflict in zip(found.lines, found.conflicts, strict=True)
    )


def report(name: str, rows: list[Measured], scores: np.ndarray, threshold: float) -> None:
    """One line; overlap has the best threshold of the set itself."""
    labels = np.array([float(m.row.supported) for m in rows])
    plain = np.array([overlap(m.row) for m in rows])
    best = max(balanced_accuracy(plain, labels, t) for t in np.unique(plain))
    print(
        f"{name:24} {len(labels):5} AUROC {auroc(scores, labels):.3f} "
        f"BAcc {balanced_accuracy(scores, labels, threshold):.3f} "
        f"overlap AUROC {auroc(plain, labels):.3f} BAcc* {best:.3f}"
    )


def main() -> None:
    model = load()
    for name in UNSEEN:
        kept = measured(name)
        report(name, kept, np.array([score(model, m) for m in kept]), model.threshold)


if __name__ == "__main__":
    main()

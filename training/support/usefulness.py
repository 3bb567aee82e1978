"""Fit and measure the coefficients that say whether a context is of use for an answer.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/usefulness.py

Writes usefulness.json, then measures: the held-out fifth of the fitted sets, and TREC-QA, which is
not fitted on. In ares_synthetic the irrelevant rows have no answer, so that answers would give the
label away: none of its answers are used.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
from regression import auroc, balanced_accuracy, balanced_weights, best_threshold, fit

import ragstone.local as room
from data import hashed, raw
from ragstone.local.encoder import encoder
from ragstone.local.usefulness import FEATURES, measure, model

VERSION = "1"
RIDGE = 10.0
ARES_ROWS = 1000

Example = tuple[str, str, str, str, bool]


def examples() -> list[Example]:
    """(set, question, answer, context, useful)"""
    factcheck = [
        ("dev/factcheck_gpt", r["question"], r["response"], r["contexts"][0], bool(r["relevant"]))
        for r in raw("dev/factcheck_gpt")
    ]
    ares = [
        (
            "train/ares_synthetic",
            r["question"],
            "",
            r["contexts"][0],
            bool(r["context_relevance"][0]),
        )
        for r in raw("train/ares_synthetic")
        if r["subset"] != "fever"
    ]
    return factcheck + sorted(ares, key=lambda e: hashed("".join(e[1:4])))[:ARES_ROWS]


def main() -> None:
    rows = examples()
    values = np.array([measure(*row[1:4], encoder())[0] for row in rows])
    groups = np.array([row[0] for row in rows])
    labels = np.array([float(row[4]) for row in rows])
    held_out = np.array([hashed(row[1]) % 5 == 0 for row in rows])
    seen = ~held_out
    weights = balanced_weights(groups[seen], labels[seen])
    bias, coefficients = fit(values[seen], labels[seen], weights, RIDGE)
    scores = 1 / (1 + np.exp(-(bias + values @ coefficients)))
    threshold = best_threshold(
        scores[held_out], labels[held_out], balanced_weights(groups[held_out], labels[held_out])
    )
    write(threshold, bias, coefficients)
    for name in np.unique(groups):
        here = held_out & (groups == name)
        plain = np.array([overlap(*row[1:4]) for row, kept in zip(rows, here, strict=True) if kept])
        print(
            f"{name:22} {here.sum():5} AUROC {auroc(scores[here], labels[here]):.3f} "
            f"BAcc {balanced_accuracy(scores[here], labels[here], threshold):.3f} "
            f"overlap AUROC {auroc(plain, labels[here]):.3f}"
        )
    trecqa()


def trecqa() -> None:
    """Mean average precision over the questions with a relevant and an irrelevant context."""
    useful = model()
    ours, plain, scored, relevant = [], [], [], []
    for row in raw("dev/trecqa"):
        labels = np.array(row["context_relevance"])
        if labels.min() == labels.max():
            continue
        found = [measure(row["question"], "", c, encoder())[0] for c in row["contexts"]]
        scores = np.array([useful.parts["useful"].probability(v) for v in found])
        ours.append(average_precision(scores, labels))
        words = np.array([overlap(row["question"], "", c) for c in row["contexts"]])
        plain.append(average_precision(words, labels))
        scored.append(scores)
        relevant.append(labels)
    scores, labels = np.concatenate(scored), np.concatenate(relevant)
    print(
        f"dev/trecqa             {len(ours):5} questions, MAP {np.mean(ours):.3f}, "
        f"BAcc {balanced_accuracy(scores, labels, useful.threshold):.3f}, "
        f"overlap MAP {np.mean(plain):.3f}"
    )


def average_precision(scores: np.ndarray, labels: np.ndarray) -> float:
    ranked = labels[np.argsort(-scores, kind="stable")]
    precision = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    return float((precision * ranked).sum() / ranked.sum())


def overlap(question: str, answer: str, context: str) -> float:
    """Share of the different words of question and answer that stand in the context."""
    asked = set(re.findall(r"\w+", f"{question} {answer}".lower()))
    return len(asked & set(re.findall(r"\w+", context.lower()))) / max(1, len(asked))


def write(threshold: float, bias: float, coefficients: np.ndarray) -> None:
    weights = dict(zip(FEATURES, [round(float(w), 5) for w in coefficients], strict=True))
    models = {"useful": {"bias": round(bias, 5), "weights": weights}}
    data = {"version": VERSION, "threshold": threshold, "models": models}
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "usefulness.json").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

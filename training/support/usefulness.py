"""Fit and measure the coefficients that say whether a context is of use for an answer.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/usefulness.py

Writes usefulness.json, then measures TREC-QA, which nothing is fitted on. `answered` is fitted on
the questions of Factcheck-GPT that the cross-encoder has not learned from, `asked` on questions of
ARES whose passages it has not seen; its irrelevant passages are random ones. Probabilities of a
group are foretold from the other four fifths of the groups.
"""

from __future__ import annotations

import json
import re
from math import log
from pathlib import Path

import numpy as np
from regression import auroc, balanced_accuracy, balanced_weights, best_threshold, fit_signed

import ragstone.local as room
from data import hashed, raw
from ragstone.local.encoder import encoder
from ragstone.local.usefulness import FEATURES, measured, model

VERSION = "2"
RIDGE = 10.0
AGAINST = {"answer_names_absent", "answer_numbers_absent"}
LEARNED = 350
"""Passages of each subset of ARES that the cross-encoder may have seen."""

Example = tuple[str, str, str, bool]


def answered() -> list[Example]:
    """(question, answer, context, useful)"""
    return [
        (r["question"], r["response"], r["contexts"][0], bool(r["relevant"]))
        for r in raw("dev/factcheck_gpt")
        if hashed(r["question"]) % 5 == 0
    ]


def asked() -> list[Example]:
    """In ares_synthetic the irrelevant rows have no answer, so none of its answers are used."""
    found: list[Example] = []
    for subset in ("nq", "hotpotqa", "multirc", "record"):
        rows = [r for r in raw("train/ares_synthetic") if r["subset"] == subset]
        rows.sort(key=lambda r: hashed(r["id"]))
        useful = list({r["contexts"][0]: r for r in rows if r["context_relevance"][0]}.values())
        useful.sort(key=lambda r: hashed(r["id"]))
        useless = [r for r in rows if not r["context_relevance"][0]]
        for row in useful[LEARNED : LEARNED + 60] + useless[:60]:
            label = bool(row["context_relevance"][0])
            found.append((row["question"], "", row["contexts"][0], label))
    return found


def main() -> None:
    parts = {
        name: part(name, rows) for name, rows in (("answered", answered()), ("asked", asked()))
    }
    data = {"version": VERSION, "threshold": 0.5, "models": parts}
    text = json.dumps(data, indent=2) + "\n"
    (Path(room.__file__).parent / "usefulness.json").write_text(text, encoding="utf-8")
    print(text)
    trecqa()


def part(name: str, rows: list[Example]) -> dict[str, object]:
    """Bias and weights of one of the two models; the bias holds the threshold."""
    values = np.array([measured(row[0], row[1], [row[2]], encoder())[0][0] for row in rows])
    labels = np.array([float(row[3]) for row in rows])
    folds = np.array([hashed(f"f{row[0]}") % 5 for row in rows])
    weights = balanced_weights(np.zeros(len(rows)), labels)
    signs = np.array([_sign(feature, name) for feature in FEATURES])
    foretold = np.zeros(len(rows))
    for fold in range(5):
        rest = folds != fold
        bias, found = fit_signed(values[rest], labels[rest], weights[rest], RIDGE, signs)
        foretold[~rest] = 1 / (1 + np.exp(-(bias + values[~rest] @ found)))
    threshold = best_threshold(foretold, labels, weights)
    print(
        f"{name:10} {len(rows):5} AUROC {auroc(foretold, labels):.3f} "
        f"BAcc {balanced_accuracy(foretold, labels, threshold):.3f} at {threshold}; "
        f"overlap AUROC {auroc(np.array([overlap(*row[:3]) for row in rows]), labels):.3f}"
    )
    bias, found = fit_signed(values, labels, weights, RIDGE, signs)
    bias -= log(threshold / (1 - threshold))
    shown = dict(zip(FEATURES, [round(float(w), 5) for w in found], strict=True))
    return {"bias": round(float(bias), 5), "weights": shown}


def _sign(feature: str, part: str) -> float:
    if part == "asked" and feature.startswith("answer"):
        return 0.0
    return -1.0 if feature in AGAINST else 1.0


def trecqa() -> None:
    """Mean average precision over the questions with a relevant and an irrelevant context."""
    asked = model().parts["asked"]
    ours, plain, scored, relevant = [], [], [], []
    for row in raw("dev/trecqa"):
        labels = np.array(row["context_relevance"])
        if labels.min() == labels.max():
            continue
        found = measured(row["question"], "", row["contexts"], encoder())
        scores = np.array([asked.probability(values) for values, _ in found])
        ours.append(average_precision(scores, labels))
        words = np.array([overlap(row["question"], "", c) for c in row["contexts"]])
        plain.append(average_precision(words, labels))
        scored.append(scores)
        relevant.append(labels)
    scores, labels = np.concatenate(scored), np.concatenate(relevant)
    print(
        f"dev/trecqa {len(ours):5} questions, MAP {np.mean(ours):.3f}, "
        f"BAcc {balanced_accuracy(scores, labels, 0.5):.3f}, overlap MAP {np.mean(plain):.3f}"
    )


def average_precision(scores: np.ndarray, labels: np.ndarray) -> float:
    ranked = labels[np.argsort(-scores, kind="stable")]
    precision = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    return float((precision * ranked).sum() / ranked.sum())


def overlap(question: str, answer: str, context: str) -> float:
    """Share of the different words of question and answer that stand in the context."""
    asked = set(re.findall(r"\w+", f"{question} {answer}".lower()))
    return len(asked & set(re.findall(r"\w+", context.lower()))) / max(1, len(asked))


if __name__ == "__main__":
    main()

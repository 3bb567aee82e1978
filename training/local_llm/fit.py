"""Fit how a language model's P(yes) is weighed with what the packaged models say.

    RAGSTONE_LABELLED_DATA=FOLDER python training/local_llm/fit.py

Reads what both said about the same held-out rows (benchmarks/agreement: the language model alone,
with a calibration that changes nothing; and the local judge), prints both beside the two together,
cross-fitted over five parts by document or question, and writes calibration.json next to the
installed ragstone.local_llm.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from regression import auroc, balanced_accuracy, balanced_weights, fit

import ragstone.local_llm as room
from data import hashed, raw
from ragstone.bench.agreement.groups import group_of

SCORES = Path(__file__).resolve().parents[2] / "benchmarks" / "agreement"
VERSION = "1"
TASKS = {"support": ("fm2", "factcheck_gpt", "wice"), "equivalence": ("evouna_tq",)}
LABELS = ("supported", "correct")
RIDGE = 1.0
EDGE = 1e-6

Scores = Mapping[tuple[str, str], float]


def main() -> None:
    large, small = said("local-llm-alone.jsonl"), said("local-held-out.jsonl")
    print(
        "set               rows        language model        packaged models     both, cross-fitted"
    )
    tasks = {task: fitted(sets, large, small) for task, sets in TASKS.items()}
    print("AUROC, and balanced accuracy and accuracy at 1/2")
    path = Path(room.__file__).with_name("calibration.json")
    content = {"version": VERSION, "tasks": tasks}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print(f"{path.name}: {tasks}")


def said(file: str) -> Scores:
    """The probability of every row that was scored, by set and id."""
    lines = (SCORES / file).read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines[1:]]
    return {(one["set"], one["id"]): one["said"][0][0] for one in answers if one.get("said")}


def fitted(sets: tuple[str, ...], large: Scores, small: Scores) -> dict[str, float]:
    """The numbers of one task, measured on the way."""
    names, labels, fold, scores = (np.array(column) for column in columns(sets, large, small))
    odds = log_odds(scores)
    together = np.zeros(len(labels))
    for part in range(5):
        on = fold != part
        bias, coefficients = weighed(odds[on], labels[on], names[on])
        together[~on] = bias + odds[~on] @ coefficients
    for name in sets:
        report(name, names == name, labels, np.column_stack([odds, together]))
    bias, coefficients = weighed(odds, labels, names)
    slope, share = (round(float(number), 4) for number in coefficients)
    return {"slope": slope, "small": share, "intercept": round(float(bias), 4)}


def columns(sets: tuple[str, ...], large: Scores, small: Scores):
    """Sets, labels, parts and both probabilities of the rows that both have scored."""
    return zip(*rows(sets, large, small), strict=True)


def rows(sets: tuple[str, ...], large: Scores, small: Scores):
    for name in sets:
        for row in raw(f"dev/{name}"):
            key = (name, row["id"])
            if key in large and key in small:
                label = next(float(row[field]) for field in LABELS if field in row)
                part = hashed(f"fold {group_of(row)}") % 5
                yield name, label, part, (large[key], small[key])


def log_odds(probability: np.ndarray) -> np.ndarray:
    held = np.clip(probability, EDGE, 1 - EDGE)
    return np.log(held / (1 - held))


def weighed(odds: np.ndarray, labels: np.ndarray, names: np.ndarray):
    """Bias and coefficients; of several sets each counts the same, and within it either label."""
    several = len(np.unique(names)) > 1
    weights = balanced_weights(names, labels) if several else np.ones(len(labels))
    return fit(odds, labels, weights, RIDGE)


def report(name: str, on: np.ndarray, labels: np.ndarray, odds: np.ndarray) -> None:
    told = [f"{name:15}", f"{on.sum():6}"]
    for values in odds[on].T:
        area, balanced = auroc(values, labels[on]), balanced_accuracy(values, labels[on], 0.0)
        right = np.mean((values >= 0) == (labels[on] == 1))
        told.append(f"    {area:.3f} {balanced:.3f} {right:.3f}")
    print(" ".join(told))


if __name__ == "__main__":
    main()

"""Fit how a language model's P(yes) and the cross-encoder's probability are weighed for support.

    RAGSTONE_LABELLED_DATA=FOLDER python training/local_llm/fit.py

Reads what both said about the same held-out rows (benchmarks/agreement: the language model alone,
with a calibration that changes nothing; and the local judge), prints both beside the two together,
cross-fitted over five parts by document or question, and writes calibration.json next to the
installed ragstone.local_llm.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from regression import auroc, balanced_accuracy, balanced_weights, fit

import ragstone.local_llm as room
from data import rows

SCORES = Path(__file__).resolve().parents[2] / "benchmarks" / "agreement"
VERSION = "1"
SETS = ("fm2", "factcheck_gpt", "wice")
RIDGE = 1.0
EDGE = 1e-6


def main() -> None:
    large = said("local-llm-alone.jsonl")
    small = said("local-held-out.jsonl")
    found = [
        (name, row, large[name, row.id], small[name, row.id])
        for name in SETS
        for row in rows(f"dev/{name}")
        if (name, row.id) in large and (name, row.id) in small
    ]
    names = np.array([one[0] for one in found])
    labels = np.array([float(one[1].supported) for one in found])
    fold = np.array([one[1].fold for one in found])
    odds = log_odds(np.array([one[2:] for one in found]))
    weights = balanced_weights(names, labels)
    report(names, labels, odds, crossed(odds, labels, names, fold))
    write(*fit(odds, labels, weights, RIDGE))


def said(file: str) -> dict[tuple[str, str], float]:
    """The probability of every row that was scored, by set and id."""
    lines = (SCORES / file).read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines[1:]]
    return {(one["set"], one["id"]): one["said"][0][0] for one in answers if one.get("said")}


def log_odds(probability: np.ndarray) -> np.ndarray:
    held = np.clip(probability, EDGE, 1 - EDGE)
    return np.log(held / (1 - held))


def crossed(odds: np.ndarray, labels: np.ndarray, names: np.ndarray, fold: np.ndarray):
    """The log-odds of each row, by numbers that were fitted without its part."""
    together = np.zeros(len(labels))
    for part in range(5):
        on = fold != part
        weights = balanced_weights(names[on], labels[on])
        bias, coefficients = fit(odds[on], labels[on], weights, RIDGE)
        together[~on] = bias + odds[~on] @ coefficients
    return together


def report(names: np.ndarray, labels: np.ndarray, odds: np.ndarray, together: np.ndarray) -> None:
    print("set               rows   language model   cross-encoder    both, cross-fitted")
    for name in SETS:
        on = names == name
        told = [f"{name:15}", f"{on.sum():6}"]
        for values in (odds[:, 0], odds[:, 1], together):
            area = auroc(values[on], labels[on])
            accuracy = balanced_accuracy(values[on], labels[on], 0.0)
            told.append(f"    {area:.3f} {accuracy:.3f}")
        print(" ".join(told))
    print("                         AUROC and balanced accuracy at 1/2")


def write(bias: float, coefficients: np.ndarray) -> None:
    support = {
        "slope": round(float(coefficients[0]), 4),
        "small": round(float(coefficients[1]), 4),
        "intercept": round(float(bias), 4),
    }
    same = {"slope": 1.0, "small": 0.0, "intercept": 0.0}
    content = {"version": VERSION, "tasks": {"support": support, "equivalence": same}}
    path = Path(room.__file__).with_name("calibration.json")
    text = json.dumps(content, indent=2)
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {support}")


if __name__ == "__main__":
    main()

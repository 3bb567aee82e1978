"""Show rows of our own making, and whether length or shared words give their labels away.

    RAGSTONE_LABELLED_DATA=FOLDER python training/crossencoder/samples.py

Prints 40 rows, each kind in turn, and the AUROC of supported against the rest for the number of
words and for the share of them that the passage has: .5 is what a row of good data would give.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice, zip_longest

from counterfactuals import Made, rows
from groundedness import passages
from scipy.stats import mannwhitneyu

SHOWN = 40


def length(row: Made) -> float:
    return float(len(_words(row.claim)))


def overlap(row: Made) -> float:
    """The share of the claim's words that the passage has."""
    known = set(_words(row.passage))
    claimed = _words(row.claim)
    return sum(word in known for word in claimed) / max(1, len(claimed))


def auroc(made: Sequence[Made], measure: Callable[[Made], float], others: set[str]) -> float:
    """How often a supported row measures more than one of the other labels; ties count half."""
    supported = [measure(row) for row in made if row.label == "supported"]
    rest = [measure(row) for row in made if row.label in others]
    return float(mannwhitneyu(supported, rest).statistic / len(supported) / len(rest))


def samples(made: Sequence[Made]) -> list[Made]:
    """Rows by chance, each kind in turn."""
    kinds: dict[tuple[str, str], list[Made]] = defaultdict(list)
    for row in made:
        kinds[row.label, row.kind].append(row)
    mixed = (
        random.Random("samples").sample(found, len(found)) for _, found in sorted(kinds.items())
    )
    turns = (row for turn in zip_longest(*mixed) for row in turn if row is not None)
    return sorted(islice(turns, SHOWN), key=lambda row: (row.label, row.kind))


def main() -> None:
    made = list(rows(passages()))
    for row in samples(made):
        print(f"{row.label}, {row.kind}\n  claim:   {row.claim}\n  passage: {row.passage[:300]}\n")
    for (label, kind), count in sorted(Counter((row.label, row.kind) for row in made).items()):
        print(f"{count:6} {label}, {kind}")
    for measure in (length, overlap):
        for others in ({"contradicted", "not_mentioned"}, {"contradicted"}, {"not_mentioned"}):
            found = auroc(made, measure, others)
            print(f"AUROC of {measure.__name__}, supported against {sorted(others)}: {found:.3f}")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


if __name__ == "__main__":
    main()

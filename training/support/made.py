"""Rows of our own making to fit on beside those of people: changed claims, turned sentences.

True claims of the rows that no model has learned from, each with one edit that makes it false, and
contrasts (training/crossencoder/contrasts.py) about passages that no model has learned from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from data import FITTED, Row, raw, rows
from ragstone.bench.agreement.groups import hashed

sys.path.append(str(Path(__file__).parents[1] / "crossencoder"))
from contrasts import falsified, turned

NAME = "made"
PASSAGES = slice(700, 1000)  # training/crossencoder/groundedness.py learns from those before


def made() -> Iterator[Row]:
    """About as many true as false ones; `group` is that of the row or passage."""
    whole = {}
    for name in FITTED:
        for row in rows(name):
            if row.supported:
                whole["\n".join(row.contexts), row.claim] = row
    groups = {evidence: row.group for (evidence, _), row in whole.items()}
    for n, false in enumerate(falsified(list(whole))):
        evidence = false.passage
        yield Row(f"false-{n}", groups[evidence], false.claim, (evidence,), supported=False)
    texts = sorted({row["contexts"][0] for row in raw("train/halueval_qa")}, key=hashed)[PASSAGES]
    for n, row in enumerate(turned(texts)):
        yield Row(f"turned-{n}", row.passage, row.claim, (row.passage,), row.label == "supported")

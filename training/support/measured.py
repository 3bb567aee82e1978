"""The features of labelled rows: one line for each sentence of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from data import Row, rows
from ragstone.local.encoder import encoder
from ragstone.local.features import FEATURES, features
from ragstone.local.match import Evidence
from ragstone.local.sentences import sentences


@dataclass(frozen=True)
class Measured:
    """A labelled row with the features of its sentences; one at least."""

    row: Row
    lines: np.ndarray


@cache
def measured(name: str) -> list[Measured]:
    """The rows of a set that have words on both sides."""
    both = ((row, _lines(row)) for row in rows(name))
    return [Measured(row, np.array(lines)) for row, lines in both if lines]


def single_lines(found: list[Measured]) -> tuple[list[Row], np.ndarray]:
    """Only the rows of one sentence: there the label is known to be that of the sentence."""
    kept = [m for m in found if len(m.lines) == 1]
    return [m.row for m in kept], np.array([m.lines[0] for m in kept]).reshape(-1, len(FEATURES))


def _lines(row: Row) -> list[list[float]]:
    evidence = Evidence(row.contexts, encoder())
    found = (evidence.match(sentence.text) for sentence in sentences(row.claim))
    return [list(features(match)) for match in found if match is not None]

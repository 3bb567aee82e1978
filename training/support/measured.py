"""The features of labelled rows: one line for each sentence of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from made import NAME, made

from data import Row, rows
from ragstone.local.encoder import encoder
from ragstone.local.features import Comparison, features
from ragstone.local.match import Evidence
from ragstone.tools.sentences import sentences


@dataclass(frozen=True)
class Measured:
    """A labelled row with the features of its sentences; one at least."""

    row: Row
    lines: np.ndarray
    conflicts: np.ndarray


@cache
def measured(name: str) -> list[Measured]:
    """The rows of a set that have words on both sides."""
    both = ((row, _compared(row)) for row in (made() if name == NAME else rows(name)))
    return [_measured(row, found) for row, found in both if found]


def single(names: tuple[str, ...]) -> tuple[np.ndarray, list[Measured]]:
    """Set and row of every one-sentence claim of the sets: there the label is the sentence's."""
    found = [(name, m) for name in names for m in measured(name) if len(m.lines) == 1]
    return np.array([name for name, _ in found]), [m for _, m in found]


def _compared(row: Row) -> list[Comparison]:
    evidence = Evidence(row.contexts, encoder())
    found = (evidence.match(sentence.text) for sentence in sentences(row.claim))
    return [Comparison(match) for match in found if match is not None]


def _measured(row: Row, found: list[Comparison]) -> Measured:
    lines = np.array([features(comparison) for comparison in found])
    conflicts = np.array([comparison.conflicts.any for comparison in found])
    return Measured(row, lines, conflicts)

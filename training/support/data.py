"""The labelled rows on which the support model is fitted and measured."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragstone.bench.agreement.groups import group_of, hashed

FITTED = ("dev/fm2", "dev/factcheck_gpt", "dev/wice", "train/cad_nli")
"""Sets whose licences let us fit on them."""
UNSEEN = ("dev/lfqa_verification", "dev/begin_wow", "dev/begin_cmu", "dev/qags")
"""Sets that are only measured on."""
LIMIT = {"dev/lfqa_verification": 700}
"""Rows taken of a large set: those whose hash is smallest."""

HELD_OUT = {"dev/fm2": 5, "dev/factcheck_gpt": 5, "dev/wice": 5, "train/cad_nli": 20}
"""One group in so many is kept from the training of the cross-encoders (training/crossencoder)."""


@dataclass(frozen=True)
class Row:
    """A claim, its evidence, and what people said: supported or not."""

    id: str
    group: str
    claim: str
    contexts: tuple[str, ...]
    supported: bool

    @property
    def fold(self) -> int:
        """One of five parts, by group, so that no evidence is on both sides of a division."""
        return hashed(f"fold {self.group}") % 5


def folder() -> Path:
    """Where the labelled data lie: the environment variable RAGSTONE_LABELLED_DATA."""
    return Path(os.environ["RAGSTONE_LABELLED_DATA"])


def rows(name: str) -> list[Row]:
    """The rows of a set in a fixed order; of a fitted set those that no model has learned from."""
    share = HELD_OUT.get(name, 1)
    found = (row for row in _read(name) if hashed(row.group) % share == 0)
    return sorted(found, key=lambda row: hashed(row.id))[: LIMIT.get(name)]


def raw(name: str) -> Iterator[dict]:
    with gzip.open(folder() / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _read(name: str) -> Iterator[Row]:
    for row in raw(name):
        yield Row(
            id=row["id"],
            group="".join(row["contexts"])[:300] if name == "train/cad_nli" else group_of(row),
            claim=row["response"],
            contexts=tuple(row["contexts"]),
            supported=bool(_supported(row)),
        )


def _supported(row: dict) -> int:
    for field in ("supported", "attributable", "consistent"):
        if row.get(field) is not None:
            return int(row[field])
    raise ValueError(f"row {row['id']!r} has no label")

"""The labelled rows on which the support model is fitted and measured."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FITTED = ("dev/fm2", "dev/factcheck_gpt", "dev/wice", "train/cad_nli")
"""Sets whose licences let us fit on them."""
UNSEEN = ("dev/lfqa_verification", "dev/begin_wow", "dev/begin_cmu", "dev/qags")
"""Sets that are only measured on."""
LIMIT = {"train/cad_nli": 2000, "dev/lfqa_verification": 700}
"""Rows taken of a large set: those whose hash is smallest."""

CONTRADICTED = {"REFUTES", "refute", "contradiction"}
NOT_MENTIONED = {"irrelevant", "neutral", "not_supported"}


@dataclass(frozen=True)
class Row:
    """A claim, its evidence, and what people said: supported or not, contradicted or unknown."""

    id: str
    group: str
    claim: str
    contexts: tuple[str, ...]
    supported: bool
    contradicted: bool | None

    @property
    def held_out(self) -> bool:
        """A fixed fifth, by group, so that no evidence is on both sides."""
        return hashed(self.group) % 5 == 0


def folder() -> Path:
    """Where the labelled data lie: the environment variable RAGSTONE_LABELLED_DATA."""
    return Path(os.environ["RAGSTONE_LABELLED_DATA"])


def rows(name: str) -> list[Row]:
    """The rows of a set in a fixed order."""
    found = sorted(_read(name), key=lambda row: hashed(row.id))
    return found[: LIMIT.get(name)]


def raw(name: str) -> Iterator[dict]:
    with gzip.open(folder() / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _read(name: str) -> Iterator[Row]:
    for row in raw(name):
        label = row.get("label")
        yield Row(
            id=row["id"],
            group="".join(row["contexts"])[:300] if name == "train/cad_nli" else _group(row),
            claim=row["response"],
            contexts=tuple(row["contexts"]),
            supported=bool(_supported(row)),
            contradicted=True
            if label in CONTRADICTED
            else False
            if label in NOT_MENTIONED
            else None,
        )


def _group(row: dict) -> str:
    named = row.get("page") or row.get("question") or row.get("wiki_title")
    return str(named or row["contexts"][0][:300])


def _supported(row: dict) -> int:
    for field in ("supported", "attributable", "consistent"):
        if row.get(field) is not None:
            return int(row[field])
    raise ValueError(f"row {row['id']!r} has no label")


def hashed(text: str) -> int:
    """A number that the text alone decides."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)

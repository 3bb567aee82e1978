"""Labelled rows from a folder of sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragstone.bench.agreement.groups import group_of, hashed
from ragstone.data.jsonl import read_rows
from ragstone.errors import BadDataset

__all__ = ["Label", "Row", "by_hash", "find_set", "read_set"]

_PLACES = ("{}.jsonl.gz", "dev/{}.jsonl.gz", "{}.jsonl", "dev/{}.jsonl")


@dataclass(frozen=True, slots=True)
class Label:
    """A field with what people said: 0 or 1, or a grade from 0 to `top`; `many`: one a context."""

    field: str
    top: int = 1
    grade: bool = False
    many: bool = False

    def fits(self, value: object) -> bool:
        """Whether a value is a label of this kind."""
        if not isinstance(value, int | float) or not 0 <= value <= self.top:
            return False
        return self.grade or value in (0, 1)

    def __str__(self) -> str:
        """The values that fit, in words."""
        return f"a number from 0 to {self.top}" if self.grade else "0 or 1"


@dataclass(frozen=True, slots=True)
class Row:
    """What a judge reads of a labelled row, and what people said about it, by field.

    A label is a tuple: one number, or one a context.
    """

    id: str
    group: str
    question: str
    contexts: tuple[str, ...]
    response: str
    references: tuple[str, ...]
    labels: Mapping[str, tuple[float, ...]]

    @property
    def digest(self) -> str:
        """The texts in short: a score of other texts is no score of this row."""
        return (
            f"{hashed(repr((self.question, self.contexts, self.response, self.references))):012x}"
        )


def find_set(folder: Path, name: str) -> Path | None:
    """The file of a set: NAME.jsonl.gz or NAME.jsonl, in the folder or in its folder `dev`."""
    paths = (folder / place.format(name) for place in _PLACES)
    return next((path for path in paths if path.is_file()), None)


def read_set(path: Path, needs: Iterable[str], labels: Iterable[Label]) -> list[Row]:
    """The rows of a file, in its order. `needs` are fields that may not be empty.

    Raises BadDataset naming file, line and field where a text or a label is missing or unexpected.
    """
    found: dict[str, Row] = {}
    for number, raw in read_rows(path, path.suffix == ".gz"):
        where = f"{str(path)!r}, line {number}"
        row = _row(raw, where, tuple(needs), tuple(labels))
        if row.id in found:
            raise BadDataset(f"{where}: the id {row.id!r} occurs twice in the file")
        found[row.id] = row
    return list(found.values())


def by_hash(rows: Iterable[Row], count: int | None = None) -> list[Row]:
    """The rows in the order of the hashes of their ids; the first `count` of them."""
    return sorted(rows, key=lambda row: (hashed(row.id), row.id))[:count]


def _row(
    raw: Mapping[str, Any], where: str, needs: tuple[str, ...], labels: tuple[Label, ...]
) -> Row:
    for field in ("id", *needs):
        if not raw.get(field):
            raise BadDataset(f"{where}: the field {field!r} is missing or empty")
    row_id = _text(raw, "id", where)
    contexts = _texts(raw, "contexts", where)
    question, response = _text(raw, "question", where), _text(raw, "response", where)
    references = _texts(raw, "references", where)
    reference = _text(raw, "reference", where)
    return Row(
        id=row_id,
        group=group_of(raw),
        question=question,
        contexts=contexts,
        response=response,
        references=references or ((reference,) if reference else ()),
        labels={label.field: _label(raw, label, where, len(contexts)) for label in labels},
    )


def _text(raw: Mapping[str, Any], field: str, where: str) -> str:
    value = raw.get(field)
    if isinstance(value, float) and math.isnan(value):
        return ""  # how tables write that nothing is there
    if not isinstance(value, str | None):
        raise BadDataset(f"{where}: the field {field!r} must be a text, not {value!r:.80}")
    return value or ""


def _texts(raw: Mapping[str, Any], field: str, where: str) -> tuple[str, ...]:
    value = raw.get(field) or []
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise BadDataset(f"{where}: the field {field!r} must be a list of texts, not {value!r:.80}")
    return tuple(value)


def _label(raw: Mapping[str, Any], label: Label, where: str, contexts: int) -> tuple[float, ...]:
    if label.field not in raw:
        raise BadDataset(f"{where}: the label {label.field!r} is missing")
    given = raw[label.field]
    values = given if label.many and isinstance(given, list) else [given]
    if not all(label.fits(value) for value in values):
        kind = f"a list of {label}" if label.many else str(label)
        raise BadDataset(f"{where}: the label {label.field!r} must be {kind}, not {given!r:.80}")
    if label.many and len(values) != contexts:
        raise BadDataset(
            f"{where}: the label {label.field!r} has {len(values)} values for {contexts} contexts"
        )
    return tuple(float(value) for value in values)

"""What a judge has learned from the rows that it is measured on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal

from ragstone.bench.agreement.groups import hashed
from ragstone.bench.agreement.rows import Row
from ragstone.bench.agreement.sets import LabelledSet
from ragstone.schema.runs import JudgeInfo

__all__ = ["Learned", "Seen", "learned", "seen"]


@dataclass(frozen=True, slots=True)
class Learned:
    """A part of a judge, and the groups of rows that it learned from, by set."""

    judge: str
    sets: tuple[str, ...]
    by: str
    part: Literal["held_out", "rest"]


@dataclass(frozen=True, slots=True)
class Seen:
    """How many of the measured rows are of documents or questions that `by` learned from."""

    by: str
    rows: int


def seen(one_set: LabelledSet, judge: JudgeInfo | None, rows: Sequence[Row]) -> tuple[Seen, ...]:
    """What of the judge learned from these very rows, or others of their groups.

    The rows decide, not the name of the set: another split of it is unseen unless it shares them.
    """
    if judge is None:
        return ()
    who = (judge.kind, judge.name.partition("/")[0])
    mine = [one for one in learned() if one.judge in who and one_set.name in one.sets]
    hashes = [f"{hashed(row.group):012x}" for row in rows]
    counted = [Seen(one.by, _count(hashes, one_set.file, one.part)) for one in mine]
    return tuple(one for one in counted if one.rows)


def _count(hashes: Sequence[str], file: str, part: str) -> int:
    groups = _groups()[file][part]
    return sum(one in groups for one in hashes)


@lru_cache(maxsize=1)
def learned() -> tuple[Learned, ...]:
    """All that is known to have been learned."""
    entries = tomllib.loads(_text("seen.toml"))["seen"]
    return tuple(Learned(**entry | {"sets": tuple(entry["sets"])}) for entry in entries)


@lru_cache(maxsize=1)
def _groups() -> Mapping[str, Mapping[str, frozenset[str]]]:
    found = json.loads(_text("seen_groups.json"))
    return {
        file: {part: frozenset(groups) for part, groups in parts.items()}
        for file, parts in found.items()
    }


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")

"""Which row of one run is which row of another, and what the two say differently."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.schema.samples import MultiTurnSample, Sample

__all__ = ["Matching", "changed_fields", "match_rows"]

_NO_CONTENT = ("id", "run_time")


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of row numbers (in a, in b) that belong together, in the order of a.

    `by` says what they have in common: the sample id, or the inputs (question and reference).
    `only_a` and `only_b` count the rows without a partner.
    """

    pairs: tuple[tuple[int, int], ...]
    by: Literal["id", "inputs"]
    only_a: int
    only_b: int


def match_rows(a: Sequence[Sample], b: Sequence[Sample]) -> Matching:
    """Match rows by id when every row of both has one, else by what the application was given.

    Rows that share a key (duplicates) are matched in their order.
    """
    with_ids = all(sample.id is not None for rows in (a, b) for sample in rows)
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for row, sample in enumerate(b):
        waiting[_key(sample, with_ids)].append(row)
    pairs = [
        (row, partners.popleft())
        for row, sample in enumerate(a)
        if (partners := waiting.get(_key(sample, with_ids)))
    ]
    by: Literal["id", "inputs"] = "id" if with_ids else "inputs"
    return Matching(tuple(pairs), by, len(a) - len(pairs), len(b) - len(pairs))


def changed_fields(a: Sequence[Sample], b: Sequence[Sample], matching: Matching) -> dict[str, int]:
    """In how many matched rows each field (or metadata column) differs; only those that do."""
    changed: Counter[str] = Counter()
    for row_a, row_b in matching.pairs:
        one, other = _content(a[row_a]), _content(b[row_b])
        if one != other:
            names = dict.fromkeys([*one, *other])
            changed.update(name for name in names if one.get(name) != other.get(name))
    return dict(changed.most_common())


def _content(sample: Sample) -> Mapping[str, object]:
    return {k: v for k, v in sample.to_dict().items() if k not in _NO_CONTENT}


def _key(sample: Sample, with_ids: bool) -> Hashable:
    if with_ids:
        return sample.id
    if isinstance(sample, MultiTurnSample):  # what the application said is no input
        said = tuple(m.content for m in sample.user_input if m.type == "human")
        return said, sample.reference
    return sample.user_input, sample.reference

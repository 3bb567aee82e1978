"""What a cross-encoder learns from: pairs of texts, and which classes the right answer may be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragstone.bench.agreement.groups import hashed

GROUNDEDNESS = ("supported", "contradicted", "not_mentioned")
RELEVANCE = ("relevant", "irrelevant")


@dataclass(frozen=True)
class Example:
    """The text that is read first (evidence, passage), the second (claim, question), the truth.

    `classes` holds one class, or several when it is only known that the answer is among them: an
    unsupported claim of which nobody said whether it contradicts. `held_out` examples are not
    learned from. `repeat` is how often one is seen in a stage.
    """

    id: str
    source: str
    first: str
    second: str
    classes: tuple[int, ...]
    held_out: bool = False
    repeat: int = 1


def smallest(rows: Iterable[Example], count: int) -> list[Example]:
    """So many of the rows, chosen by hash."""
    return sorted(rows, key=lambda row: hashed(row.id))[:count]

"""Ids of contexts: what was retrieved, held against what should have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored, UsageError
from ragstone.schema.results import Evidence

__all__ = ["Found", "Grades", "Ids", "find", "unique"]

Ids = Sequence[str | int]
Grades = Sequence[float] | None


def unique(ids: Ids) -> list[str]:
    """The ids as text, each once, blank ones left out: 7 and "7" are one id."""
    return list(dict.fromkeys(text for text in map(str, ids) if text.strip()))


@dataclass(frozen=True, slots=True)
class Found:
    """Retrieved ids, best first, each once; and the grade of every relevant id, above 0."""

    retrieved: tuple[str, ...]
    relevant: dict[str, float]

    @property
    def grades(self) -> list[float]:
        """The grade of each retrieved id; 0 when it is not relevant."""
        return [self.relevant.get(each, 0.0) for each in self.retrieved]

    @property
    def hits(self) -> list[bool]:
        """Whether each retrieved id is relevant."""
        return [each in self.relevant for each in self.retrieved]

    def evidence(self) -> tuple[Evidence, ...]:
        """Each retrieved id by its rank, then each relevant id that was not retrieved."""
        ranked = [
            Evidence(
                each,
                "relevant" if each in self.relevant else "irrelevant",
                reason=f"rank {rank}",
                weight=self.relevant.get(each, 0.0),
            )
            for rank, each in enumerate(self.retrieved, start=1)
        ]
        missed = [
            Evidence(each, "missing", weight=grade)
            for each, grade in self.relevant.items()
            if each not in self.retrieved
        ]
        return (*ranked, *missed)


def find(retrieved: Ids, reference: Ids, grades: Grades = None) -> Found:
    """Hold the retrieved ids against the reference ids, of which a grade of 0 is not relevant.

    Without grades each counts 1; of several grades of one id the highest counts. Raises
    Unscored("no_reference") when nothing is relevant, UsageError unless each id has a grade.
    """
    given = [1.0] * len(reference) if grades is None else grades
    if len(given) != len(reference):
        raise UsageError(
            f"{len(given)} reference_context_grades for {len(reference)} reference_context_ids; "
            "give one grade for each id"
        )
    relevant: dict[str, float] = {}
    for each, grade in zip(map(str, reference), given, strict=True):
        if each.strip() and grade > relevant.get(each, 0.0):
            relevant[each] = float(grade)
    if not relevant:
        raise Unscored("no_reference", "no reference id is relevant")
    return Found(tuple(unique(retrieved)), relevant)

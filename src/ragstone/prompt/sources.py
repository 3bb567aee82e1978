"""Sources: which of several contexts support each statement."""

from __future__ import annotations

from pydantic import Field

from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList
from ragstone.prompt.prompt import Prompt

__all__ = ["SOURCES", "SourcesIn", "SourcesVerdict"]


class SourcesIn(ItemsIn):
    """Statements (the items), and the contexts, numbered from 1."""

    contexts: list[str]


class SourcesVerdict(ItemVerdict):
    """The numbers of the contexts each of which supports the statement by itself."""

    contexts: list[int] = Field(description="numbers of the contexts that support it; or none")

    @property
    def verdict(self) -> tuple[int, ...]:
        """The numbers in order: two verdicts on one item that differ in them disagree."""
        return tuple(sorted(set(self.contexts)))


SOURCES = Prompt("claims/sources", SourcesIn, VerdictList[SourcesVerdict])

"""Ranking metric: items in their order, the best first, by a prompt of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ragstone.errors import Unscored, UsageError
from ragstone.metrics.rubric._own_prompt import OwnPrompt, refuse_blanks
from ragstone.prompt.criteria import FieldsIn, ranking_reply
from ragstone.prompt.items import to_items
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["RankingMetric"]


@dataclass(frozen=True, kw_only=True)
class RankingMetric(OwnPrompt):
    """The `allowed_values` best items in order, the best first, by a judge that reads `prompt`.

    The prompt's {placeholders} are the inputs: sample fields or other columns. When one of them
    holds a list of texts, these are the items, and the judge ranks their numbers; else it copies
    the items from the inputs or the prompt. Every item is one of those that are there, and stands
    once. Unscored: all inputs blank; a list with fewer items (not_applicable); an item that stands
    nowhere (invented). Calls: 1. Source: Ragas documentation, ranking metrics.
    """

    allowed_values: int = 2

    silent = frozenset({"prompt", "allowed_values"})

    def __post_init__(self) -> None:
        super().__post_init__()
        count = self.allowed_values
        if not isinstance(count, int) or isinstance(count, bool) or count < 2:
            raise UsageError(f"allowed_values is how many items are ranked, 2 or more: {count!r}")

    @property
    def reply(self) -> type[BaseModel]:
        """A reason and the items."""
        return ranking_reply(self.allowed_values)

    @property
    def told(self) -> str:
        """How many items, and how they are named."""
        return (
            f"Answer with the {self.allowed_values} best items, the best first. Name each of them "
            "by its id where the items have ids; else copy it word for word."
        )

    async def measure(self, *, judge: Judge, **fields: Any) -> MetricResult:
        """Ask for the order."""
        refuse_blanks(fields)
        listed = [name for name, value in fields.items() if _texts(value)]
        asked: dict[str, Any] = dict(fields)
        if len(listed) == 1:
            items = to_items(fields[listed[0]])
            if len(items) < self.allowed_values:
                raise Unscored("not_applicable", f"{listed[0]} holds only {len(items)} items")
            asked[listed[0]] = items
        reply = await judge.ask(self.question, FieldsIn(**asked))
        if len(listed) == 1:
            ranked = _by_id(reply.value, {item.id: item.text for item in items})
        else:
            ranked = _copied(reply.value, {**fields, "prompt": self.prompt})
        evidence = tuple(Evidence(text, f"rank {n}") for n, text in enumerate(ranked, start=1))
        return MetricResult([*ranked], reason=reply.reason, evidence=evidence)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def _by_id(ranked: list[str], texts: Mapping[str, str]) -> list[str]:
    ids = [said.strip() for said in ranked]
    if unknown := [said for said in ids if said not in texts]:
        raise Unscored("invented", f"the judge ranked {unknown[0]!r}, which is no item")
    if len(set(ids)) < len(ids):
        raise Unscored("invented", "the judge ranked an item twice")
    return [texts[said] for said in ids]


def _copied(ranked: list[str], inputs: Mapping[str, Any]) -> list[str]:
    there = [_plain(str(value)) for value in inputs.values()]
    for item in ranked:
        if not _plain(item) or not any(_plain(item) in text for text in there):
            raise Unscored("invented", f"the judge ranked {item!r}, which stands in no input")
    return [item.strip() for item in ranked]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())

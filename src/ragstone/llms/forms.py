"""The form that a reply must have, and how a model is told to keep it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

__all__ = ["OutputForm"]


@dataclass(frozen=True, eq=False)
class OutputForm:
    """The form of the wanted reply: a name and its JSON Schema. There is one object a prompt."""

    name: str
    schema: Mapping[str, Any]

    @cached_property
    def strict_schema(self) -> Mapping[str, Any] | None:
        """The schema as constrained decoding wants it: closed objects, every property required.

        None when the form has free maps, which cannot be closed.
        """
        try:
            closed: Mapping[str, Any] = _closed(self.schema)
        except _FreeMap:
            return None
        return closed


class _FreeMap(Exception):
    """The schema has an object whose keys are not known."""


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(part) for part in node]
    if not isinstance(node, Mapping):
        return node
    properties = node.get("properties")
    if node.get("type") == "object" and not properties:
        raise _FreeMap
    kept = {key: _closed(value) for key, value in node.items() if key not in _DROPPED}
    for names in ("properties", "$defs"):  # here the keys are names, not keywords
        if names in node:
            kept[names] = {name: _closed(value) for name, value in node[names].items()}
    if properties:
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept


_DROPPED = {"default", "title", "properties", "$defs"}

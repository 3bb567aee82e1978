"""What a metric needs, read from the signature of its `measure`.

Ordinary parameters are fields of the sample; keyword-only parameters are tools. Nothing else is
declared anywhere, so the two cannot drift apart.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from ragstone.schema.samples import MultiTurnSample, SingleTurnSample
from ragstone.tools.toolbox import Toolbox

__all__ = ["FIELDS", "TOOLS", "Needs", "read_needs"]

FIELDS = (frozenset(SingleTurnSample.model_fields) | frozenset(MultiTurnSample.model_fields)) - {
    "metadata"
}
TOOLS = frozenset(f.name for f in fields(Toolbox))


@dataclass(frozen=True)
class Needs:
    """Fields that must have a value, fields that are used when they have one, and tools."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    tools: tuple[str, ...]


def read_needs(owner: str, measure: Callable[..., Any]) -> Needs:
    """The needs of a metric; raises TypeError on a parameter that is neither field nor tool."""
    required: list[str] = []
    optional: list[str] = []
    tools: list[str] = []
    for name, parameter in list(inspect.signature(measure).parameters.items())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY:
            _known(owner, name, TOOLS, "tool")
            tools.append(name)
        elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            _known(owner, name, FIELDS, "sample field")
            (required if parameter.default is parameter.empty else optional).append(name)
        else:
            raise TypeError(f"{owner}.measure: *{name} is neither a sample field nor a tool")
    return Needs(tuple(required), tuple(optional), tuple(tools))


def _known(owner: str, name: str, known: frozenset[str], what: str) -> None:
    if name not in known:
        listed = ", ".join(sorted(known))
        raise TypeError(f"{owner}.measure: {name!r} is not a {what}; there are: {listed}")

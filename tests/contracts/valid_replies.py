"""Any reply that a judge may give to a prompt, and a judge that gives it."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ragstone.schema.runs import JudgeInfo
from ragstone.tools.judge import Judge

_PLAIN = {
    str: st.sampled_from(["", " ", "It is red.", "Number 0 is red.", "Ünï \x00 中"]) | st.text(),
    bool: st.booleans(),
    int: st.integers(-9, 9),
    float: st.floats(allow_nan=False, allow_infinity=False),
}


def replies(kind: Any, ids: Sequence[str] = ()) -> st.SearchStrategy[Any]:
    """Plain data that fit the type; fields called `id` are drawn from `ids`."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        parts = {name: _field(name, field, ids) for name, field in kind.model_fields.items()}
        return st.fixed_dictionaries(parts)
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if get_origin(kind) in (Union, types.UnionType):
        return st.one_of(*(replies(each, ids) for each in get_args(kind)))
    if get_origin(kind) is list:
        return st.lists(replies(get_args(kind)[0], ids), max_size=5)
    if kind is type(None):
        return st.none()
    return _PLAIN[kind]


def _field(name: str, field: FieldInfo, ids: Sequence[str]) -> st.SearchStrategy[Any]:
    """The values of a field; of an id and of a probability the type alone does not tell."""
    if name == "id":
        return st.sampled_from([*ids, "no such id"])
    if name == "probability":
        return st.none() | st.floats(0.0, 1.0)
    limits = {
        key: getattr(part, key)
        for part in field.metadata
        for key in ("ge", "le", "min_length", "max_length")
        if getattr(part, key, None) is not None
    }
    if "min_length" in limits and "max_length" in limits:
        size = {"min_size": limits["min_length"], "max_size": limits["max_length"]}
        return st.lists(st.sampled_from("abc"), unique=True, **size)
    if "ge" in limits and "le" in limits:
        return st.floats(limits["ge"], limits["le"])
    return replies(field.annotation, ids)


class DrawnJudge(Judge):
    """A judge that answers with anything that is valid."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    async def ask(self, prompt: Any, data: Any, *, sample: int = 0) -> Any:
        """Draw a reply."""
        ids = [item.id for item in getattr(data, "items", ())]
        return prompt.output.model_validate(self._data.draw(replies(prompt.output, ids)))

    def describe(self) -> JudgeInfo:
        """A drawn one."""
        return JudgeInfo("fake", "drawn")

"""Plausible answers from the schema of a reply, and a judge that gives them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

import pydantic_core
from pydantic import BaseModel

from ragstone.prompt.items import ItemsIn
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.render import render
from ragstone.schema.usage import Call, Usage
from ragstone.testing.fakes import FakeJudge, Script
from ragstone.tools.recording import record, recording

__all__ = ["PlausibleJudge", "plausible_text"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)

_CHARACTERS_PER_TOKEN = 4


class PlausibleJudge(FakeJudge):
    """A judge that answers every prompt: by its script, else plausibly from the output's schema.

    The first label of each choice, one verdict for each item, always the same. Tokens are counted
    as a fourth of the characters that a language model would read and write.
    """

    def __init__(
        self, script: Mapping[str, Script] | None = None, *, window: int | None = None
    ) -> None:
        super().__init__(script or {}, window=window)

    async def ask(self, prompt: Prompt[In, Out], data: In, *, sample: int = 0) -> Out:
        """Answer, and record the call with its tokens."""
        if prompt.id in self.script:
            with recording():  # it is recorded below, with tokens
                reply = await super().ask(prompt, data, sample=sample)
        else:
            self.asked.append((prompt.id, data))
            ids = tuple(item.id for item in data.items) if isinstance(data, ItemsIn) else ()
            reply = prompt.output.model_validate_json(plausible_text(prompt.schema_json, ids))
        asked, said = render(prompt, data), reply.model_dump_json(exclude_none=True)
        usage = Usage(
            calls=1,
            input_tokens=_tokens(asked.system) + _tokens(asked.user),
            output_tokens=_tokens(said),
            estimated=True,
        )
        output = reply.model_dump(mode="json")
        record(Call(prompt.id, "fake", prompt.dump(data), output, usage=usage))
        return reply


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


@lru_cache(maxsize=1024)
def plausible_text(schema: str, ids: tuple[str, ...]) -> str:
    """JSON that fits a JSON Schema: the first label of each choice, an entry for each id."""
    data = pydantic_core.from_json(schema)
    return pydantic_core.to_json(_value(data, data, ids, "")).decode()


def _value(node: Mapping[str, Any], root: Mapping[str, Any], ids: tuple[str, ...], id: str) -> Any:
    """A value that fits a node of a schema; `id` is that of the item which it is about."""
    if "$ref" in node:
        return _value(root["$defs"][node["$ref"].rpartition("/")[2]], root, ids, id)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in node:
            return _value(node[choice][0], root, ids, id)
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return node["enum"][0]
    kind = node.get("type")
    if kind == "object":
        own = {
            name: _value(part, root, ids, id) for name, part in node.get("properties", {}).items()
        }
        return own | ({"id": id} if "id" in own and id else {})
    if kind == "array":
        return _list(node, root, ids)
    return _plain(kind, node)


def _list(node: Mapping[str, Any], root: Mapping[str, Any], ids: tuple[str, ...]) -> list[Any]:
    inner = node.get("items") or {}
    target = root["$defs"][inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
    about_items = "id" in target.get("properties", {})
    if about_items and ids:
        return [_value(inner, root, ids, id) for id in ids]
    return [_value(inner, root, ids, str(n + 1)) for n in range(max(1, node.get("minItems", 1)))]


def _plain(kind: str | None, node: Mapping[str, Any]) -> Any:
    if kind == "boolean":
        return True
    if kind in ("integer", "number"):
        return node.get("minimum", node.get("exclusiveMinimum", 0) + 1)
    return None if kind == "null" else "plausible text".ljust(node.get("minLength", 0), ".")

"""What a sample field makes of the value of a column."""

from __future__ import annotations

import ast
import io
import json
import tokenize
from typing import Any

__all__ = ["LISTS", "STRUCTURES", "field_value"]

LISTS = frozenset(
    {
        "retrieved_contexts",
        "reference_contexts",
        "retrieved_context_ids",
        "reference_context_ids",
        "reference_context_grades",
        "multi_responses",
        "reference_topics",
    }
)
"""Fields that hold a list of texts: a lone text becomes a list of one."""

STRUCTURES = frozenset({"reference_tool_calls", "rubrics", "metadata"})
"""Fields whose text, if they are given text, is JSON."""

_PLURAL = "ground_truths"
_MESSAGE_TYPES = ("human", "ai", "tool")


def field_value(field: str, value: Any, column: str = "") -> Any:
    """The plain value of a column as its field takes it; the sample's own types check the rest.

    Text that holds a list or an object is decoded where the field holds one: JSON, or the form in
    which Python prints it. Where the field holds text, text stays as it is. Raises ValueError.
    """
    if value is None:
        return None
    if field in LISTS:
        return _listed(value)
    if field in STRUCTURES:
        return _structure(field, value)
    if field == "user_input":
        return _conversation(value)
    if field == "reference":
        return _single(_listed(value) if column == _PLURAL else value)
    if field == "run_time" and isinstance(value, str):
        return float(value) if value.strip() else None
    if field == "id" and type(value) is int:
        return str(value)
    return value


def _listed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text.startswith("["):
        return [value]
    decoded = _json(text)
    if decoded is None:
        decoded = _literal(text)
        if isinstance(decoded, list) and _has_neighbors(text):
            raise ValueError(
                f"the text {_start(text)!r} has no commas between its items, as NumPy prints an "
                "array; write the list as JSON, for example with array.tolist() before saving"
            )
    if isinstance(decoded, list):
        return decoded
    if text[1:].lstrip()[:1] in ('"', "'"):
        raise ValueError(
            f"the text {_start(text)!r} begins like a list but is none; write the list as JSON"
        )
    return [value]


def _structure(field: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text:
        return None
    decoded = _decoded(text) if text[0] in "[{" else None
    if field == "metadata":  # a column of that name may hold any text
        return decoded if isinstance(decoded, dict) else value
    if decoded is None:
        raise ValueError(f"the text {_start(text)!r} is not JSON; write {field} as JSON")
    return decoded


def _conversation(value: Any) -> Any:
    """A list of messages, also when it stands in text; other text as it is."""
    decoded = value
    if isinstance(value, str):
        decoded = _decoded(value) if value.lstrip().startswith("[") else None
        if not (isinstance(decoded, list) and decoded and all(map(_is_message, decoded))):
            return value
    if not isinstance(decoded, list):
        return decoded
    # Columnar formats write every key in every message, empty where it has no value.
    return [
        {k: v for k, v in message.items() if v is not None}
        if isinstance(message, dict)
        else message
        for message in decoded
    ]


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") in _MESSAGE_TYPES and "content" in value


def _single(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if len(value) > 1:
        raise ValueError(
            f"{len(value)} references, but a sample has one; keep one, join them into one text, "
            "or write a row for each"
        )
    return value[0] if value else None


def _decoded(text: str) -> Any:
    """The JSON or Python literal in the text, or None."""
    found = _json(text)
    return _literal(text) if found is None else found


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _has_neighbors(text: str) -> bool:
    """Whether two string literals stand side by side, which Python would join into one."""
    before = tokenize.ENCODING
    for token in tokenize.generate_tokens(io.StringIO(text.strip()).readline):
        if token.type == before == tokenize.STRING:
            return True
        if token.type not in (tokenize.NL, tokenize.NEWLINE):
            before = token.type
    return False


def _start(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "…"

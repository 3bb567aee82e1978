"""Which rows belong together, and which of them are held out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

__all__ = ["group_of", "hashed", "is_held_out"]

_ONE_IN = 5


def hashed(text: str) -> int:
    """A number that the text alone decides: the first 12 hexadecimal digits of its SHA-256."""
    return int(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12], 16)


def group_of(row: Mapping[str, Any]) -> str:
    """The document or question of a labelled row; a row that has neither stands alone."""
    for field in ("page", "question", "wiki_title"):
        if (named := row.get(field)) and isinstance(named, str):
            return named
    contexts = row.get("contexts")
    return str(contexts[0][:300] if contexts else row["id"])


def is_held_out(group: str) -> bool:
    """Whether a group is of the fixed fifth that is kept from the training of the weights."""
    return hashed(group) % _ONE_IN == 0

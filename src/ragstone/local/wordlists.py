"""The word lists in words.toml."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources

__all__ = ["word_list"]


def word_list(name: str) -> tuple[str, ...]:
    """The words of a list in their order; KeyError when there is no such list."""
    return tuple(_lists()[name].split())


@lru_cache(maxsize=1)
def _lists() -> dict[str, str]:
    source = resources.files("ragstone.local") / "words.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))

"""Fragments: evidence such as "70 %." that answers a question instead of making a statement."""

from __future__ import annotations

from functools import lru_cache

from ragstone.local.clauses import states_something
from ragstone.local.terms import terms

__all__ = ["MAX_WORDS", "is_fragment"]

MAX_WORDS = 7
"""Words that a fragment has at most."""


@lru_cache(maxsize=4096)
def is_fragment(text: str) -> bool:
    """Whether a text has words, but few, and no verb with a subject."""
    return 0 < len(terms(text)) <= MAX_WORDS and not states_something(text)

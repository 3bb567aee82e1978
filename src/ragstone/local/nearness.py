"""Nearness of two texts in meaning, in any script."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.terms import in_latin_script, terms

__all__ = ["nearness"]


def nearness(one: str, other: str, model: Encoder) -> float:
    """Cosine, -1 to 1; in scripts that the embedder does not know, the share of words in common."""
    if in_latin_script(one + other):
        mine, its = model.vectors([one, other]).astype(float)
        return float(mine @ its)
    left, right = ({term.form for term in terms(text)} for text in (one, other))
    return len(left & right) / max(1, len(left | right))

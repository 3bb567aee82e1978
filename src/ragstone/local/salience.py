"""Which statements of a text say most: those closest in meaning to the text as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragstone.local.encoder import Encoder

__all__ = ["most_telling"]


def most_telling(statements: Sequence[str], text: str, count: int, encoder: Encoder) -> list[str]:
    """The `count` statements with the highest cosine to the whole text, best first."""
    if not statements:
        return []
    vectors = encoder.vectors(statements).astype(np.float64)
    cosines = np.round(vectors @ encoder.vectors([text])[0].astype(np.float64), 9)
    order = sorted(range(len(statements)), key=lambda n: (-cosines[n], n))
    return [statements[n] for n in order[:count]]

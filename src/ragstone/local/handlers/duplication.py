"""answer/duplication: does a text say the same thing twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragstone.local.difference import addition, difference
from ragstone.local.encoder import Encoder
from ragstone.local.terms import in_latin_script, terms
from ragstone.local.windows import sentence_pieces
from ragstone.prompt.duplication import DuplicatedPair, Duplication, DuplicationIn

__all__ = ["find_duplication"]

_NEAR = 0.78
"""Cosine from which two sentences may say the same; chosen on sentences of our own."""
_WORDS = 3  # a sentence of fewer words, such as "Yes.", says nothing that could be repeated
_READ = 1000  # sentences of a text
_TRIED = 8  # of the nearest sentences, so that the cost of a text of like sentences is bounded


def find_duplication(data: DuplicationIn, model: Encoder) -> Duplication:
    """Each sentence that an earlier one says already, with the nearest such one."""
    pieces = (piece.text for piece in sentence_pieces(data.text))
    said = [text for text in pieces if len(terms(text)) >= _WORDS][:_READ]
    pairs = _pairs(said, model)
    return Duplication(
        verdict="repeats" if pairs else "does_not_repeat",
        pairs=pairs,
        reason=f"{len(pairs)} of {len(said)} sentences say what an earlier one says",
    )


def _pairs(said: Sequence[str], model: Encoder) -> list[DuplicatedPair]:
    if len(said) < 2:
        return []
    vectors = model.vectors(said).astype(float)
    found: list[DuplicatedPair] = []
    for n, text in enumerate(said):
        cosines = vectors[:n] @ vectors[n]
        near = [m for m in np.argsort(-cosines, kind="stable")[:_TRIED] if cosines[m] >= _NEAR]
        twin = next((said[m] for m in near if _same(said[m], text, model)), None)
        if twin is not None:
            found.append(DuplicatedPair(first=twin, second=text))
    return found


def _same(one: str, other: str, model: Encoder) -> bool:
    """Whether neither text has a name or number that the other lacks, and nothing differs."""
    if _forms(one) == _forms(other):
        return True
    if not in_latin_script(one + other):
        return False  # the vectors of other scripts tell nothing
    added = addition(one, other) or addition(other, one)
    return added is None and difference(one, other, model) is None


def _forms(text: str) -> list[str]:
    return [term.form for term in terms(text)]

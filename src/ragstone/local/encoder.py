"""The sentence encoder: one model a process, loaded when first used."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

import numpy as np

from ragstone.local.remembered import Remembered
from ragstone.local.session import Session, packaged, readable

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MAX_TOKENS", "NAME", "Encoder", "encoder", "model_hashes"]

NAME = "all-MiniLM-L6-v2 (int8)"
MAX_TOKENS = 256
"""Longer texts are cut here: the length that the model was published for."""

_KEPT_VECTORS = 20_000  # 30 MB
_FIRST_WORD = 1996  # the vocabulary lists whole words by falling frequency from here ("the")


class Encoder:
    """Vectors of texts, and how rare a word is; safe to use from several threads."""

    def __init__(self, session: Session) -> None:
        self._tokenizer = session.tokenizer
        self._vectors: Remembered[str, NDArray[np.float32]] = Remembered(
            session.read, _KEPT_VECTORS
        )
        self._rarities: dict[str, float] = {}
        self._size = self._tokenizer.get_vocab_size()

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order; the last 20,000 different ones are kept."""
        return np.array(self._vectors.of(texts), dtype=np.float32)

    def rarity(self, word: str) -> float:
        """How rare a lower-case word is in English, 0 (function words) to 1.

        By Zipf's law the logarithm of the frequency rank stands for it; the rank is the place in
        the model's vocabulary. A word in several pieces is not in it, and so rare.
        """
        found = self._rarities.get(word)
        if found is None:
            if len(self._rarities) > 100_000:
                self._rarities.clear()
            found = self._rarities[word] = self._measured_rarity(word)
        return found

    def _measured_rarity(self, word: str) -> float:
        pieces = self._tokenizer.encode(readable(word), add_special_tokens=False).ids
        if len(pieces) != 1:
            return 1.0
        if not word.isascii():
            return 0.5  # a single letter of another script: its place in the list means nothing
        rank = max(0, pieces[0] - _FIRST_WORD) + 1
        return max(0.0, log(rank) / log(self._size - _FIRST_WORD) - 0.2) / 0.8


def encoder() -> Encoder:
    """The encoder of this process; raises MissingExtra when its packages are absent."""
    with _loading:
        return _encoder(os.getpid())


def model_hashes() -> Mapping[str, str]:
    """The sha256 of the model's files, as recorded by the package that ships them."""
    return dict(packaged("embedder").sha256)


_loading = threading.Lock()


# A forked process must not drop the session of its parent: it would wait for threads that are not
# there. So every session is kept as long as the process.
_kept: list[Encoder] = []


@lru_cache(maxsize=1)
def _encoder(_process: int) -> Encoder:
    files = packaged("embedder")
    session = Session(files.path("model.onnx"), files.path("tokenizer.json"), MAX_TOKENS)
    _kept.append(Encoder(session))
    return _kept[-1]

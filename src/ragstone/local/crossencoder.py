"""The cross-encoders: models that read two texts together and score the pair."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ragstone.local.remembered import Remembered
from ragstone.local.session import Session, packaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CrossEncoder", "cross_encoder", "pair_model_hashes"]

_MAX_TOKENS = 192
_KEPT = 50_000


class CrossEncoder:
    """Scores of pairs of texts; safe to use from several threads."""

    def __init__(self, session: Session) -> None:
        self._scores: Remembered[tuple[str, str], NDArray[np.float32]] = Remembered(
            lambda pair: session.read(*pair), _KEPT
        )

    def scores(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """The logits of every pair, in order: shape (pairs, classes)."""
        return np.array(self._scores.of(pairs), dtype=np.float32)


def cross_encoder(name: str) -> CrossEncoder:
    """The cross-encoder "groundedness" or "relevance" of this process, loaded when first asked for.

    Raises MissingExtra when the extra `local` is not installed.
    """
    with _loading:
        return _cross_encoder(name, os.getpid())


def pair_model_hashes(name: str) -> Mapping[str, str]:
    """The sha256 of a cross-encoder's files, as recorded by the package that ships them."""
    return dict(packaged(name).sha256)


_loading = threading.Lock()
_kept: list[CrossEncoder] = []  # a forked process must not drop the session of its parent


@lru_cache(maxsize=2)
def _cross_encoder(name: str, _process: int) -> CrossEncoder:
    files = packaged(name)
    session = Session(files.path("model.onnx"), files.path("tokenizer.json"), _MAX_TOKENS)
    _kept.append(CrossEncoder(session))
    return _kept[-1]

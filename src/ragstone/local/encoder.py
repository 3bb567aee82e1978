"""The sentence encoder: one ONNX session and one tokenizer a process, loaded when first used.

Texts are encoded one at a time. On a CPU that is as fast as batches of 8 or 32 (nothing is spent on
padding), and a vector then depends on its own text alone, to the last bit.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from ragstone.errors import MissingExtra

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["MAX_TOKENS", "NAME", "Encoder", "encoder", "model_hashes"]

NAME = "all-MiniLM-L6-v2 (int8)"
MAX_TOKENS = 256
"""Longer texts are cut here: the length that the model was published for."""

_KEPT_VECTORS = 20_000  # 30 MB
_FIRST_WORD = 1996  # the vocabulary lists whole words by falling frequency from here ("the")


class Encoder:
    """Vectors of texts, and how rare a word is; safe to use from several threads."""

    def __init__(self, model: Path, tokenizer: Path) -> None:
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._rarities: dict[str, float] = {}
        self._session, self._tokenizer = _load(model, tokenizer)
        self._size = self._tokenizer.get_vocab_size()

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, in order; the last 20,000 different ones are kept."""
        return np.stack([self._vector(text) for text in texts])

    def rarity(self, word: str) -> float:
        """How rare a lower-case word is in English, 0 (function words) to 1.

        By Zipf's law the logarithm of the frequency rank stands for it; the rank is the place in
        the model's vocabulary. A word in several pieces is not in it, and so rare.
        """
        if word not in self._rarities:
            if len(self._rarities) > 100_000:
                self._rarities.clear()
            self._rarities[word] = self._measured_rarity(word)
        return self._rarities[word]

    def _measured_rarity(self, word: str) -> float:
        readable = word.encode("utf-8", "replace").decode("utf-8")
        pieces = self._tokenizer.encode(readable, add_special_tokens=False).ids
        if len(pieces) != 1:
            return 1.0
        if not word.isascii():
            return 0.5  # a single letter of another script: its place in the list means nothing
        rank = max(0, pieces[0] - _FIRST_WORD) + 1
        return max(0.0, log(rank) / log(self._size - _FIRST_WORD) - 0.2) / 0.8

    def _vector(self, text: str) -> NDArray[np.float32]:
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
                return self._vectors[text]
            vector = self._encoded(text)
            self._vectors[text] = vector
            if len(self._vectors) > _KEPT_VECTORS:
                self._vectors.popitem(last=False)
            return vector

    def _encoded(self, text: str) -> NDArray[np.float32]:
        readable = text.encode("utf-8", "replace").decode(
            "utf-8"
        )  # half a surrogate pair has no bytes
        ids = np.array([self._tokenizer.encode(readable).ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        vector: NDArray[np.float32] = self._session.run(None, feed)[0][0]
        return vector


def encoder() -> Encoder:
    """The encoder of this process; raises MissingExtra when its packages are absent."""
    with _loading:
        return _encoder(os.getpid())


def model_hashes() -> Mapping[str, str]:
    """The sha256 of the model's files, as recorded by the package that ships them."""
    return dict(_files().sha256)


_loading = threading.Lock()


# A forked process must not drop the session of its parent: it would wait for threads that are not
# there. So every session is kept as long as the process.
_kept: list[Encoder] = []


@lru_cache(maxsize=1)
def _encoder(_process: int) -> Encoder:
    files = _files()
    _kept.append(Encoder(files.path("model.onnx"), files.path("tokenizer.json")))
    return _kept[-1]


def _files() -> Any:
    try:
        from ragstone_models import model
    except ImportError as error:
        raise MissingExtra("the local judge", "local") from error
    return model("embedder")


def _load(model: Path, tokenizer: Path) -> tuple[Any, Any]:
    try:
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtra("the local judge", "local") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(2, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        os.fspath(model), options, providers=["CPUExecutionProvider"]
    )
    reader = Tokenizer.from_file(os.fspath(tokenizer))
    reader.no_padding()
    reader.enable_truncation(MAX_TOKENS)
    return session, reader

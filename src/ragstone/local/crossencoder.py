"""The cross-encoders: models that read two texts together and score the pair.

A pair is read alone, never in a batch, so that its score depends on nothing else.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ragstone.errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CrossEncoder", "cross_encoder", "pair_model_hashes"]

_KEPT = 50_000


class CrossEncoder:
    """Scores of pairs of texts; safe to use from several threads."""

    def __init__(self, model: Path, tokenizer: Path, max_tokens: int) -> None:
        self._lock = threading.Lock()
        self._scores: OrderedDict[tuple[str, str], NDArray[np.float32]] = OrderedDict()
        self._session, self._tokenizer = _load(model, tokenizer, max_tokens)

    def scores(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """The logits of every pair, in order: shape (pairs, classes)."""
        return np.stack([self._score(pair) for pair in pairs])

    def _score(self, pair: tuple[str, str]) -> NDArray[np.float32]:
        with self._lock:
            if pair in self._scores:
                self._scores.move_to_end(pair)
                return self._scores[pair]
            score = self._read(*pair)
            self._scores[pair] = score
            if len(self._scores) > _KEPT:
                self._scores.popitem(last=False)
            return score

    def _read(self, first: str, second: str) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode(_readable(first), _readable(second))
        feed = {
            "input_ids": np.array([encoded.ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(encoded.ids)), dtype=np.int64),
            "token_type_ids": np.array([encoded.type_ids], dtype=np.int64),
        }
        score: NDArray[np.float32] = self._session.run(None, feed)[0][0]
        return score


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair has no bytes


def cross_encoder(name: str) -> CrossEncoder:
    """The cross-encoder "groundedness" or "relevance" of this process, loaded when first asked for.

    Raises MissingExtra when the extra `local` is not installed.
    """
    with _loading:
        return _cross_encoder(name, os.getpid())


def pair_model_hashes(name: str) -> Mapping[str, str]:
    """The sha256 of a cross-encoder's files, as recorded by the package that ships them."""
    return dict(_files(name).sha256)


_loading = threading.Lock()
_kept: list[CrossEncoder] = []  # a forked process must not drop the session of its parent


@lru_cache(maxsize=2)
def _cross_encoder(name: str, _process: int) -> CrossEncoder:
    files = _files(name)
    made = CrossEncoder(files.path("model.onnx"), files.path("tokenizer.json"), 192)
    _kept.append(made)
    return made


def _files(name: str) -> Any:
    try:
        from ragstone_models import model
    except ImportError as error:
        raise MissingExtra("the local judge", "local") from error
    return model(name)


def _load(model: Path, tokenizer: Path, max_tokens: int) -> tuple[Any, Any]:
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
    # The longer text is cut first: the evidence in nearly all pairs, else a claim of a page.
    reader.enable_truncation(max_tokens, strategy="longest_first")
    return session, reader

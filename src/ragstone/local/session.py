"""A packaged model, loaded: the session that runs it, and its tokenizer.

A session uses one thread; whoever has several texts runs it in several threads (`worker.reading`).
Texts are read one at a time: on a CPU that is as fast as batches of 8 or 32 (nothing is spent on
padding), and a result then depends on its own text alone, to the last bit.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ragstone.errors import MissingExtra

__all__ = ["Session", "packaged", "readable"]


class Session:
    """A model and its tokenizer; safe to use from several threads."""

    def __init__(self, model: Path, tokenizer: Path, max_tokens: int) -> None:
        # The runtime reports every process to its maker unless this is set before it is loaded.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtra("the local judge", "local") from error
        onnxruntime.disable_telemetry_events()  # in case someone else has loaded it before
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            os.fspath(model), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {given.name for given in self._session.get_inputs()}
        self.tokenizer: Any = Tokenizer.from_file(os.fspath(tokenizer))
        self.tokenizer.no_padding()
        # The longer text is cut first: the evidence in nearly all pairs, else a claim of a page.
        self.tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    def read(self, *texts: str) -> Any:
        """What the model says of a text, or of two texts together: one row of numbers."""
        encoded = self.tokenizer.encode(*map(readable, texts))
        ids = np.array([encoded.ids], dtype=np.int64)
        types = np.array([encoded.type_ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        chosen = {name: value for name, value in feed.items() if name in self._inputs}
        return self._session.run(None, chosen)[0][0]


def readable(text: str) -> str:
    """The text without halves of surrogate pairs, which have no bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def packaged(name: str) -> Any:
    """A model that ships in ragstone-models. Raises MissingExtra when the package is absent."""
    try:
        from ragstone_models import model
    except ImportError as error:
        raise MissingExtra("the local judge", "local") from error
    return model(name)

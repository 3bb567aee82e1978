"""The local embedder: all-MiniLM-L6-v2 on the CPU."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import Unscored
from ragstone.local.encoder import MAX_TOKENS, NAME, encoder, model_hashes
from ragstone.local.worker import in_worker
from ragstone.schema.runs import JudgeInfo
from ragstone.tools.embedder import Embedder

__all__ = ["LocalEmbedder"]


class LocalEmbedder(Embedder):
    """Unit vectors of 384 numbers from all-MiniLM-L6-v2 with 8-bit weights, for English text.

    Text beyond 256 tokens (about 190 words) is not read. A blank text means nothing, so it has no
    vector: Unscored("empty_text"). Raises MissingExtra when the extra `local` is not installed.
    Source: Reimers and Gurevych 2019 (Sentence-BERT); Wang et al. 2020 (MiniLM).
    """

    async def aembed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text, in order; a vector depends on its own text alone."""
        for number, text in enumerate(texts, start=1):
            if not text.strip():
                raise Unscored("empty_text", f"text {number} of {len(texts)} is blank")
        if not texts:
            return []
        vectors = await in_worker(lambda: encoder().vectors(texts))
        return [[float(value) for value in vector] for vector in vectors]

    def describe(self) -> JudgeInfo:
        """The model, the hashes of its files, and where it cuts."""
        settings = {"sha256": model_hashes(), "max_tokens": MAX_TOKENS}
        return JudgeInfo(kind="local", name=NAME, settings=settings)

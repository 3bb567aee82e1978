"""An embedder turns texts into vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragstone import bridge
from ragstone.errors import UsageError
from ragstone.schema.runs import JudgeInfo

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Embedder", "cosines"]


class Embedder(ABC):
    """Whoever embeds texts. A subclass writes `aembed_texts` and `describe`."""

    @abstractmethod
    async def aembed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text, in order, all of one length."""

    @abstractmethod
    def describe(self) -> JudgeInfo:
        """Who this is, with every setting that can move a vector."""

    async def aembed_text(self, text: str) -> Sequence[float]:
        """The vector of one text."""
        return (await self.aembed_texts([text]))[0]

    def embed_text(self, text: str) -> Sequence[float]:
        """The vector of one text, from sync code."""
        return bridge.run(self.aembed_text(text))

    def embed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector a text, from sync code."""
        return bridge.run(self.aembed_texts(texts))


async def cosines(embedder: Embedder, text: str, others: Sequence[str]) -> list[float]:
    """Cosine similarity of a text with each of the others, -1 to 1.

    Raises UsageError naming the embedder when a vector is missing, of another length, all zero or
    not finite.
    """
    import numpy as np

    given = await embedder.aembed_texts([text, *others])
    name = embedder.describe().name
    try:
        vectors: NDArray[Any] = np.asarray(given, dtype=float)
    except ValueError as error:
        raise UsageError(f"the embedder {name!r} gave no vectors of one length: {error}") from error
    if vectors.ndim != 2 or len(vectors) != 1 + len(others):
        raise UsageError(
            f"the embedder {name!r} gave an array of shape {vectors.shape} "
            f"for {1 + len(others)} texts"
        )
    sizes = np.abs(vectors).max(axis=1, initial=0.0)
    if np.any(unusable := ~np.isfinite(sizes) | (sizes == 0.0)):
        row = int(np.argmax(unusable))
        raise UsageError(f"the embedder {name!r} gave a zero or non-finite vector for text {row}")
    scaled = vectors / sizes[:, None]  # so that no square is too small or too large for a float
    unit = scaled / np.linalg.norm(scaled, axis=1)[:, None]
    found = np.round(np.clip(unit[1:] @ unit[0], -1.0, 1.0), 12)  # with itself it is 1, exactly
    return [float(value) for value in found]

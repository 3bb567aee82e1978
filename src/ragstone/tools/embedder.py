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

__all__ = ["Embedder", "cosine_matrix", "cosines"]


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
    """Cosine similarity of a text with each of the others, -1 to 1; raises as `cosine_matrix`."""
    matrix = await cosine_matrix(embedder, [text], others)
    return [float(value) for value in matrix[0]]


async def cosine_matrix(
    embedder: Embedder, rows: Sequence[str], columns: Sequence[str]
) -> NDArray[Any]:
    """Cosine similarity, -1 to 1, of each text of the rows with each of the columns; one batch.

    Raises UsageError naming the embedder when a vector is missing, of another length, all zero or
    not finite.
    """
    import numpy as np

    unit = _unit(await embedder.aembed_texts([*rows, *columns]), len(rows) + len(columns), embedder)
    products = unit[: len(rows)] @ unit[len(rows) :].T
    found: NDArray[Any] = np.round(np.clip(products, -1.0, 1.0), 12)  # with itself it is 1, exactly
    return found


def _unit(given: Sequence[Sequence[float]], texts: int, embedder: Embedder) -> NDArray[Any]:
    """The vectors, checked and of length 1."""
    import numpy as np

    name = embedder.describe().name
    try:
        vectors: NDArray[Any] = np.asarray(given, dtype=float)
    except ValueError as error:
        raise UsageError(f"the embedder {name!r} gave no vectors of one length: {error}") from error
    if vectors.ndim != 2 or len(vectors) != texts:
        raise UsageError(
            f"the embedder {name!r} gave an array of shape {vectors.shape} for {texts} texts"
        )
    sizes = np.abs(vectors).max(axis=1, initial=0.0)
    if np.any(unusable := ~np.isfinite(sizes) | (sizes == 0.0)):
        row = int(np.argmax(unusable))
        raise UsageError(f"the embedder {name!r} gave a zero or non-finite vector for text {row}")
    scaled = vectors / sizes[:, None]  # so that no square is too small or too large for a float
    unit: NDArray[Any] = scaled / np.linalg.norm(scaled, axis=1)[:, None]
    return unit

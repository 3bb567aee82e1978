"""Cosines: exact, in range, and an embedder that misbehaves is named."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.schema.runs import JudgeInfo
from ragstone.tools.embedder import Embedder, cosines
from scripted import FakeEmbedder


class Given(Embedder):
    """Returns the array that it was given."""

    def __init__(self, vectors: Any) -> None:
        self.vectors = vectors

    async def aembed_texts(self, texts: Sequence[str]) -> Any:
        return self.vectors

    def describe(self) -> JudgeInfo:
        return JudgeInfo("given", "given-embedder")


async def test_known_angles() -> None:
    embedder = Given([[1, 0], [2, 0], [0, 5], [-1, 0], [1, 1]])
    found = await cosines(embedder, "a", ["b", "c", "d", "e"])
    assert found == pytest.approx([1.0, 0.0, -1.0, math.sqrt(0.5)], abs=1e-12)


@given(st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=3).filter(any))
@example([0.0, 0.0, 1.5e-160])
@example([5e-324, 0.0, 0.0])
@example([1e300, -1e300, 0.0])
async def test_every_cosine_lies_between_minus_one_and_one(vector: list[float]) -> None:
    (same,) = await cosines(Given([vector, vector]), "a", ["b"])
    assert -1.0 <= same <= 1.0
    assert same == pytest.approx(1.0)


@pytest.mark.parametrize(
    "vectors",
    [
        [[0.0, 0.0], [1.0, 0.0]],
        [[1.0, 0.0], [0.0, 0.0]],
        [[1.0, 0.0], [float("nan"), 0.0]],
        [[float("inf"), 0.0], [1.0, 0.0]],
    ],
)
async def test_t44_a_zero_or_broken_vector_names_the_embedder(vectors: Any) -> None:
    """T44: no NaN out of a zero vector; the embedder is named."""
    with pytest.raises(UsageError, match="embedder 'given-embedder' gave a zero or non-finite"):
        await cosines(Given(vectors), "a", ["b"])


@pytest.mark.parametrize("vectors", [[[1.0, 0.0]], [], [1.0, 2.0], [[1.0]] * 3])
async def test_a_vector_too_few_or_too_many_is_refused(vectors: Any) -> None:
    with pytest.raises(UsageError, match="for 2 texts"):
        await cosines(Given(vectors), "a", ["b"])


async def test_vectors_of_different_lengths_name_the_embedder() -> None:
    with pytest.raises(UsageError, match="given-embedder"):
        await cosines(Given([[1.0, 2.0], [1.0]]), "a", ["b"])


def test_sync_doors() -> None:
    embedder = FakeEmbedder()
    assert embedder.embed_text("red house") == embedder.embed_texts(["red house", "x"])[0]

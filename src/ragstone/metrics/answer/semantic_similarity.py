"""Semantic similarity: how near are the embeddings of response and reference."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics._texts import need_text
from ragstone.metrics.base import Metric
from ragstone.schema.results import MetricResult
from ragstone.tools.embedder import Embedder, cosines

__all__ = ["SemanticSimilarity"]


@dataclass(frozen=True, kw_only=True)
class SemanticSimilarity(Metric):
    """Cosine of the embeddings of response and reference, 0 to 1, higher is better.

    A negative cosine counts as 0. With a `threshold` the value is 1.0 at or above it, else 0.0.
    Unscored: a blank response (refusal) or a blank reference. Source: Ragas documentation.
    """

    name: str = "semantic_similarity"
    threshold: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold is not None and not -1.0 <= self.threshold <= 1.0:
            raise UsageError(f"threshold must lie in -1..1, not {self.threshold!r}")

    async def measure(self, response: str, reference: str, *, embedder: Embedder) -> MetricResult:
        """Embed both texts and compare."""
        need_text(response, "refusal", "response")
        need_text(reference, "no_reference", "reference")
        (cosine,) = await cosines(embedder, reference, [response])
        if self.threshold is None:
            return MetricResult(max(0.0, cosine), reason=f"cosine {cosine:.4f}")
        reason = f"cosine {cosine:.4f}, threshold {self.threshold:g}"
        return MetricResult(float(cosine >= self.threshold), reason=reason)

"""Response-context agreement: has every sentence of the response a partner in the contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragstone.errors import MissingExtra
from ragstone.metrics._texts import has_context, no_context
from ragstone.metrics.base import Metric
from ragstone.metrics.chat._sentences import Sentence, context_sentences, response_sentences
from ragstone.metrics.chat._spread import Spread
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.embedder import Embedder, cosine_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ResponseContextAgreement"]


@dataclass(frozen=True, kw_only=True)
class ResponseContextAgreement(Metric):
    """Mean cosine of response sentences and their partners, 0 to 1, higher is better.

    Every sentence of the response gets a context sentence of its own so that the sum of cosines is
    largest (Hungarian algorithm); a negative cosine counts as 0. Where the contexts have fewer
    sentences than the response, those left over count as 0: the response says more than there is.
    The evidence is the assignment with its cosines, and std, min and max. Unscored: a response
    without letters or digits (refusal); no such contexts (0 with `strict`). It uses the embedder
    alone, so a refusal in words is compared as any other text. Source: Yurts, chat metrics,
    response-context agreement; Kuhn 1955.
    """

    name: str = "response_context_agreement"
    strict: bool = False

    async def measure(
        self, response: str, retrieved_contexts: Sequence[str], *, embedder: Embedder
    ) -> MetricResult:
        """Embed all sentences and match them one to one."""
        said = response_sentences(response)
        if not said:
            return MetricResult.unscored("refusal", "the response is blank, or only punctuation")
        found = context_sentences(retrieved_contexts) if has_context(retrieved_contexts) else []
        if not found:
            return no_context(self.strict)
        matrix = await cosine_matrix(embedder, [s.text for s in said], [s.text for s in found])
        partners = _assigned(matrix)
        pairs = [_evidence(s, n, partners, matrix, found) for n, s in enumerate(said)]
        spread = Spread.of([pair.weight or 0.0 for pair in pairs])
        left = len(said) - len(partners)
        alone = f", {left} without a partner" if left else ""
        reason = f"mean similarity of {len(said)} sentences{alone}, {spread.words()}"
        return MetricResult(spread.mean, reason=reason, evidence=(*pairs, *spread.evidence()))


def _assigned(matrix: NDArray[Any]) -> dict[int, int]:
    """The context sentence of each response sentence that has one."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise MissingExtra("response_context_agreement", "local") from error
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return dict(zip(rows.tolist(), columns.tolist(), strict=True))


def _evidence(
    sentence: Sentence,
    row: int,
    partners: dict[int, int],
    matrix: NDArray[Any],
    found: list[Sentence],
) -> Evidence:
    if row not in partners:
        return Evidence(sentence.text, "unmatched", spans=(sentence.span,), weight=0.0)
    partner = found[partners[row]]
    return Evidence(
        sentence.text,
        "matched",
        reason=partner.text,
        spans=(sentence.span, partner.span),
        weight=max(0.0, float(matrix[row, partners[row]])),
    )

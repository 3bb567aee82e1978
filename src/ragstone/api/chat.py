"""The chat suite: the four chat metrics of one message, in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragstone import bridge
from ragstone.api.defaults import choose_embedder, local_installed
from ragstone.errors import MissingExtra, UsageError
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.metrics.chat.hallucinated_entities import HallucinatedEntities
from ragstone.metrics.chat.query_context_agreement import QueryContextAgreement
from ragstone.metrics.chat.query_response_agreement import QueryResponseAgreement
from ragstone.metrics.chat.response_context_agreement import ResponseContextAgreement
from ragstone.schema.results import MetricResult
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.samples import SingleTurnSample
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = ["achat_suite", "chat_suite"]

_METRICS: tuple[Metric, ...] = (
    QueryContextAgreement(),
    QueryResponseAgreement(),
    ResponseContextAgreement(),
    HallucinatedEntities(),
)
_FIELDS = ("user_input", "response", "retrieved_contexts")


async def achat_suite(
    message: SingleTurnSample | Mapping[str, Any],
    *,
    llm: Judge | None = None,
    embeddings: Embedder | None = None,
) -> Mapping[str, MetricResult]:
    """The results of the four chat metrics for one message, by metric name.

    A message is a sample or a mapping with user_input, response and retrieved_contexts; whatever
    else it holds is not read. Each text is split, embedded and searched for entities once. Without
    `llm` and `embeddings` the local judge and the local embedder measure, so nothing leaves the
    machine. Raises MissingField, what the judge raises, and MissingExtra when these are absent.
    """
    sample = message if isinstance(message, SingleTurnSample) else _sample(message)
    embedder = choose_embedder(embeddings)
    given = Toolbox(llm or _local_judge(), None if embedder is None else _OnceEmbedder(embedder))
    chosen = [(metric, metric.select(sample)) for metric in _METRICS]
    results = await together(metric.run(values, given) for metric, values in chosen)
    return {metric.name: result for metric, result in zip(_METRICS, results, strict=True)}


def chat_suite(
    message: SingleTurnSample | Mapping[str, Any],
    *,
    llm: Judge | None = None,
    embeddings: Embedder | None = None,
) -> Mapping[str, MetricResult]:
    """`achat_suite` from sync code; works inside a running event loop too."""
    return bridge.run(achat_suite(message, llm=llm, embeddings=embeddings))


def _local_judge() -> Judge:
    if not local_installed():
        raise MissingExtra("the chat suite without llm=", "local")
    from ragstone.local.judge import LocalJudge

    return LocalJudge()


def _sample(message: Mapping[str, Any]) -> SingleTurnSample:
    if not isinstance(message, Mapping):
        raise UsageError(f"a message is a SingleTurnSample or a mapping, not {message!r}")
    return SingleTurnSample(**{name: message.get(name) for name in _FIELDS})


class _OnceEmbedder(Embedder):
    """An embedder that is asked about each text once, for the length of one message."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._known: dict[str, Sequence[float]] = {}

    async def aembed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """The vectors, those known already not asked for again."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            vectors = await self._inner.aembed_texts(new)
            if len(vectors) != len(new):
                return vectors  # whoever compares them says what is wrong
            self._known.update(zip(new, vectors, strict=True))
        return [self._known[text] for text in texts]

    def describe(self) -> JudgeInfo:
        """Who is asked."""
        return self._inner.describe()

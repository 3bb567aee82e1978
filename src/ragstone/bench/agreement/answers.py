"""What a judge says about one row: the prompts that the metrics ask, asked of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ragstone.bench.agreement.rows import Row
from ragstone.errors import Unscored
from ragstone.metrics.answer.semantic_similarity import SemanticSimilarity
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, ClaimsIn, SupportVerdict
from ragstone.prompt.equivalence import EQUIVALENCE, EquivalenceIn
from ragstone.prompt.retrieval import USEFULNESS, Usefulness
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = [
    "Ask",
    "Said",
    "best_chunk",
    "equivalence",
    "similarity",
    "summary_support",
    "support",
    "usefulness",
    "usefulness_of_each",
]

_NAME = "bench agreement"


@dataclass(frozen=True, slots=True)
class Said:
    """A score, higher for the positive label, and the verdict; None where no verdict is given."""

    score: float
    verdict: bool | None = None


Ask = Callable[[Row, Toolbox], Awaitable[list[Said]]]
"""Asks about a row; one answer for each label. Raises Unscored, JudgeError."""


async def support(row: Row, tools: Toolbox) -> list[Said]:
    """Is the response, as one statement, supported by the contexts."""
    return [await _supported(_judge(tools), row.response, row.contexts)]


async def best_chunk(row: Row, tools: Toolbox) -> list[Said]:
    """Is the response supported by the context that supports it best."""
    judge = _judge(tools)
    return [_best([await _supported(judge, row.response, (one,)) for one in row.contexts])]


async def summary_support(row: Row, tools: Toolbox) -> list[Said]:
    """How well the statements of the response are supported, on average."""
    judge = _judge(tools)
    data = ClaimsIn(text=row.response, atomicity="low")
    claims = (await judge.ask(EXTRACT_CLAIMS, data)).claims
    if not claims:
        raise Unscored("no_claims", "no statement was found in the response")
    verdicts = await judge.verdicts(SUPPORT, claims, contexts=list(row.contexts))
    sure = [verdict.probability for verdict in verdicts if verdict.probability is not None]
    if len(sure) < len(verdicts):
        sure = [float(verdict.verdict == "supported") for verdict in verdicts]
    return [Said(sum(sure) / len(sure))]


async def usefulness(row: Row, tools: Toolbox) -> list[Said]:
    """Is the context of use for the response as an answer to the question."""
    context = "\n\n".join(row.contexts)
    return [await _useful(_judge(tools), row.question, row.response, context)]


async def usefulness_of_each(row: Row, tools: Toolbox) -> list[Said]:
    """Is each context of use for the question, without an answer at hand."""
    judge = _judge(tools)
    return [await _useful(judge, row.question, "", context) for context in row.contexts]


async def equivalence(row: Row, tools: Toolbox) -> list[Said]:
    """Does the response give the answer of a reference."""
    data = EquivalenceIn(
        question=row.question, references=list(row.references), response=row.response
    )
    found = await _judge(tools).ask(EQUIVALENCE, data)
    return [_said(found.probability, found.verdict == "equivalent")]


async def similarity(row: Row, tools: Toolbox) -> list[Said]:
    """How similar response and reference are."""
    embedder = tools.get("embedder", _NAME)
    found = await SemanticSimilarity().measure(row.response, row.references[0], embedder=embedder)
    return [Said(float(found.value))]  # type: ignore[arg-type]


def _judge(tools: Toolbox) -> Judge:
    judge: Judge = tools.get("judge", _NAME)
    return judge


async def _supported(judge: Judge, statement: str, contexts: tuple[str, ...]) -> Said:
    verdicts: list[SupportVerdict] = await judge.verdicts(
        SUPPORT, [statement], contexts=list(contexts)
    )
    return _said(verdicts[0].probability, verdicts[0].verdict == "supported")


async def _useful(judge: Judge, question: str, answer: str, context: str) -> Said:
    found: list[Usefulness] = await judge.verdicts(
        USEFULNESS, [context], question=question, answer=answer
    )
    return _said(found[0].probability, found[0].verdict == "useful")


def _said(probability: float | None, verdict: bool) -> Said:
    return Said(float(verdict) if probability is None else probability, verdict)


def _best(parts: list[Said]) -> Said:
    return Said(max(part.score for part in parts), any(part.verdict for part in parts))

"""Claims and their support: the steps and sums that several metrics share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragstone.errors import Unscored
from ragstone.metrics._decomposition import decompose
from ragstone.metrics._spans import find_quote, locate_claim
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.prompt.claims import Claims, ClaimsIn, Granularity, SupportIn, SupportVerdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = [
    "CheckedClaims",
    "ClaimsPrompt",
    "Source",
    "SupportPrompt",
    "check",
    "extract",
    "share_supported",
]

ClaimsPrompt = Prompt[ClaimsIn, Claims]
SupportPrompt = Prompt[SupportIn, VerdictList[SupportVerdict]]


@dataclass(frozen=True, slots=True)
class Source:
    """A text of the sample: the field it stands in, and what it says."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class CheckedClaims:
    """Claims of a text with one verdict each."""

    claims: tuple[str, ...]
    verdicts: tuple[SupportVerdict, ...]
    evidence: tuple[Evidence, ...]

    @property
    def supported(self) -> int:
        """How many claims are supported."""
        return sum(verdict.verdict == "supported" for verdict in self.verdicts)

    @property
    def total(self) -> int:
        """How many claims were submitted."""
        return len(self.claims)

    def summary(self) -> str:
        """The verdicts in words, such as "2 of 3 claims supported, 1 contradicted"."""
        counts = Counter(verdict.verdict for verdict in self.verdicts)
        parts = [f"{self.supported} of {self.total} claims supported"]
        parts += [f"{counts[v]} {v.replace('_', ' ')}" for v in _OTHERS if counts[v]]
        return ", ".join(parts)


_OTHERS: tuple[Literal["contradicted", "not_mentioned"], ...] = ("contradicted", "not_mentioned")


async def extract(
    judge: Judge,
    prompt: ClaimsPrompt,
    source: Source,
    *,
    question: str | None = None,
    atomicity: Granularity = "high",
    coverage: Granularity = "high",
) -> Sequence[str]:
    """The claims of a text, each once.

    Raises Unscored("refusal") when it declines, Unscored("no_claims") when it claims nothing.
    A text that refuses and still claims something is judged by its claims. A text too long for one
    question is split in pieces. Raises BadReply for more claims than the text can make.
    """
    if blank(source.text):
        raise Unscored("refusal", f"the {source.field} is empty")
    if question is not None and blank(question):
        question = None
    asked = (
        ClaimsIn(question=question, text=piece, atomicity=atomicity, coverage=coverage)
        for piece in fit(judge, source.text, question or "")
    )
    replies = await together(decompose(judge, prompt, data) for data in asked)
    claims = [claim for reply in replies for claim in reply.claims]
    if not claims:
        if any(reply.refuses for reply in replies):
            raise Unscored("refusal", f"the {source.field} declines to answer")
        raise Unscored("no_claims", f"the {source.field} states nothing that can be checked")
    return list(dict.fromkeys(claims))


async def check(
    judge: Judge,
    prompt: SupportPrompt,
    claims: Sequence[str],
    *,
    of: Source,
    against: str,
    texts: Sequence[str] | str,
    question: str | None = None,
) -> CheckedClaims:
    """Check the claims `of` a text against the `texts`, or the text, of the field `against`.

    With a `question` the claims are the sentences of an answer to it, which may need it.
    """
    listed = [texts] if isinstance(texts, str) else texts
    contexts = [text for text in listed if not blank(text)]
    asked = None if blank(question) else question
    verdicts = await judge.verdicts(prompt, claims, contexts=contexts, question=asked)
    evidence = tuple(
        Evidence(
            text=claim,
            verdict=verdict.verdict,
            reason=verdict.reason,
            spans=locate_claim(claim, of.field, of.text)
            + find_quote(verdict.quote, against, texts),
        )
        for claim, verdict in zip(claims, verdicts, strict=True)
    )
    return CheckedClaims(tuple(claims), tuple(verdicts), evidence)


async def share_supported(
    judge: Judge,
    prompts: tuple[ClaimsPrompt, SupportPrompt],
    source: Source,
    question: str,
    contexts: Sequence[str],
) -> MetricResult:
    """The share of a text's claims that the retrieved contexts support."""
    claims = await extract(judge, prompts[0], source, question=question)
    checked = await check(
        judge, prompts[1], claims, of=source, against="retrieved_contexts", texts=contexts
    )
    return MetricResult(
        checked.supported / checked.total,
        reason=checked.summary(),
        evidence=checked.evidence,
    )

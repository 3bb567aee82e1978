"""Factual correctness: do response and reference state the same facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from ragstone.errors import UsageError
from ragstone.metrics._claims import (
    CheckedClaims,
    ClaimsPrompt,
    Source,
    SupportPrompt,
    check,
    extract,
)
from ragstone.metrics._counts import CountMode, f_beta, precision, recall
from ragstone.metrics._texts import need_text
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, Granularity
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["FactualCorrectness"]


@dataclass(frozen=True, kw_only=True)
class FactualCorrectness(Metric):
    """Overlap of the claims of response and reference, 0 to 1, higher is better.

    True positives are response claims that the reference supports, false positives the others;
    false negatives are reference claims that the response does not support. `mode` gives precision,
    recall or their F-beta (`beta` above 1 favors recall); `atomicity` and `coverage` say how finely
    and how fully claims are split. Unscored: a response that refuses or claims nothing, a reference
    without claims. Calls: 2 for precision, else 4. Source: Ragas documentation.
    """

    name: str = "factual_correctness"
    mode: CountMode = "f1"
    beta: float = 1.0
    atomicity: Granularity = "low"
    coverage: Granularity = "low"
    prompt: ClaimsPrompt = EXTRACT_CLAIMS
    nli_prompt: SupportPrompt = SUPPORT

    def __post_init__(self) -> None:
        super().__post_init__()
        choices = {"mode": CountMode, "atomicity": Granularity, "coverage": Granularity}
        for name, labels in choices.items():
            if getattr(self, name) not in get_args(labels):
                raise UsageError(
                    f"{name} must be one of {', '.join(get_args(labels))}, "
                    f"not {getattr(self, name)!r}"
                )
        if not 0 < self.beta <= 1000:
            raise UsageError(f"beta must be above 0 and at most 1000, not {self.beta!r}")

    async def measure(
        self, response: str, reference: str, user_input: str = "", *, judge: Judge
    ) -> MetricResult:
        """Check the claims of each text against the other text."""
        ours = Source("response", need_text(response, "refusal", "response"))
        theirs = Source("reference", need_text(reference, "no_claims", "reference"))
        forward = self._check(judge, ours, theirs, user_input)
        if self.mode == "precision":
            return _result(await forward, None, self.mode, self.beta)
        mine, other = await together([forward, self._check(judge, theirs, ours, user_input)])
        return _result(mine, other, self.mode, self.beta)

    async def _check(
        self, judge: Judge, source: Source, against: Source, question: str
    ) -> CheckedClaims:
        claims = await extract(
            judge,
            self.prompt,
            source,
            question=question,
            atomicity=self.atomicity,
            coverage=self.coverage,
        )
        return await check(
            judge,
            self.nli_prompt,
            claims,
            of=source,
            against=against.field,
            texts=against.text,
        )


def _result(
    ours: CheckedClaims, theirs: CheckedClaims | None, mode: CountMode, beta: float
) -> MetricResult:
    tp, fp = ours.supported, ours.total - ours.supported
    if theirs is None:
        return MetricResult(precision(tp, fp), reason=f"TP {tp}, FP {fp}", evidence=ours.evidence)
    fn = theirs.total - theirs.supported
    p, r = precision(tp, fp), recall(tp, fn)
    value = {"precision": p, "recall": r, "f1": f_beta(p, r, beta)}[mode]
    reason = f"TP {tp}, FP {fp}, FN {fn}; precision {p:.3g}, recall {r:.3g}"
    return MetricResult(value, reason=reason, evidence=ours.evidence + theirs.evidence)

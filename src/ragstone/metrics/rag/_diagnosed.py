"""The sums of a diagnosis: ten shares of the claims of a response and of its reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ragstone.metrics._claims import Source
from ragstone.metrics._counts import f_beta
from ragstone.metrics._spans import locate_claim
from ragstone.metrics._texts import whole
from ragstone.schema.results import Evidence

__all__ = ["LOWER", "MEASURED", "UNDEFINED", "Claim", "Diagnosed", "Measure"]

Measure = Literal[
    "f1",
    "precision",
    "recall",
    "claim_recall",
    "context_utilization",
    "faithfulness",
    "hallucination",
    "noise_sensitivity_irrelevant",
    "noise_sensitivity_relevant",
    "self_knowledge",
]
LOWER: frozenset[Measure] = frozenset(
    {
        "hallucination",
        "noise_sensitivity_irrelevant",
        "noise_sensitivity_relevant",
        "self_knowledge",
    }
)
"""The shares of which less is better."""

MEASURED, UNDEFINED = "measured", "undefined"
"""The labels of the shares in the evidence; an undefined one has no weight."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim: whether the other text says it too, and the contexts that support it."""

    text: str
    shared: bool
    sources: frozenset[int]
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """The claims of both texts with all that is known of them; neither list is empty."""

    response: Sequence[Claim]
    reference: Sequence[Claim]

    @property
    def relevant(self) -> frozenset[int]:
        """The contexts that support a claim of the reference."""
        return frozenset().union(*(claim.sources for claim in self.reference))

    def kind(self, claim: Claim) -> str:
        """What a claim of the response is; each is one of five kinds."""
        if claim.shared:
            return "correct" if claim.sources else "self_knowledge"
        if not claim.sources:
            return "hallucination"
        noise = "relevant" if claim.sources & self.relevant else "irrelevant"
        return f"noise_sensitivity_{noise}"

    @staticmethod
    def fate(claim: Claim) -> str:
        """What became of a claim of the reference."""
        if claim.shared:
            return "used" if claim.sources else "known"
        return "unused" if claim.sources else "missed"

    def measures(self) -> dict[Measure, tuple[int, int] | float | None]:
        """Each share as a count and its total, F1 as a number, None for a share of nothing."""
        ours = [self.kind(claim) for claim in self.response]
        theirs = [self.fate(claim) for claim in self.reference]
        n, m = len(ours), len(theirs)
        right = sum(claim.shared for claim in self.response)
        found = sum(claim.shared for claim in self.reference)
        retrieved = theirs.count("used") + theirs.count("unused")
        return {
            "f1": f_beta(right / n, found / m),
            "precision": (right, n),
            "recall": (found, m),
            "claim_recall": (retrieved, m),
            "context_utilization": (theirs.count("used"), retrieved) if retrieved else None,
            "faithfulness": (sum(bool(claim.sources) for claim in self.response), n),
            "hallucination": (ours.count("hallucination"), n),
            "noise_sensitivity_irrelevant": (ours.count("noise_sensitivity_irrelevant"), n),
            "noise_sensitivity_relevant": (ours.count("noise_sensitivity_relevant"), n),
            "self_knowledge": (ours.count("self_knowledge"), n),
        }

    def evidence(
        self, response: Source, reference: Source, contexts: Sequence[str]
    ) -> tuple[Evidence, ...]:
        """The measures, then every claim with its kind, its place and the contexts behind it."""
        shares = [_share(name, value) for name, value in self.measures().items()]
        ours = [_shown(c, self.kind(c), response, contexts) for c in self.response]
        theirs = [_shown(c, self.fate(c), reference, contexts) for c in self.reference]
        return (*shares, *ours, *theirs)


def _share(name: str, value: tuple[int, int] | float | None) -> Evidence:
    if value is None:
        return Evidence(name, UNDEFINED, reason="no context supports a claim of the reference")
    if isinstance(value, float):
        return Evidence(name, MEASURED, reason="of precision and recall", weight=value)
    return Evidence(name, MEASURED, f"{value[0]} of {value[1]}", weight=value[0] / value[1])


def _shown(claim: Claim, label: str, source: Source, contexts: Sequence[str]) -> Evidence:
    behind = (whole("retrieved_contexts", contexts[n], n) for n in sorted(claim.sources))
    spans = (*locate_claim(claim.text, source.field, source.text), *behind)
    return Evidence(claim.text, label, claim.reason, spans)

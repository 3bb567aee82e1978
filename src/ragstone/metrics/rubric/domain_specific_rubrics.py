"""Domain-specific rubrics: a score by a rubric that holds for all samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._texts import blank
from ragstone.metrics.rubric._parts import UserInput
from ragstone.metrics.rubric._rubric_metric import WITH_REFERENCE, WITHOUT_REFERENCE, RubricMetric
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["DomainSpecificRubrics"]


@dataclass(frozen=True, kw_only=True)
class DomainSpecificRubrics(RubricMetric):
    """The score that a sample earns by `rubrics`, by default 1 to 5; higher is better.

    `rubrics` has keys such as "score1_description"; any whole numbers will do, and the range is
    theirs. Without `rubrics` a general rubric is used, and with `with_reference` one that asks for
    agreement with the reference. Reads whatever fields the sample has; a conversation is judged as
    text. Unscored: neither question nor response; `with_reference` and a blank reference
    (no_reference). Calls: 1. Source: Ragas documentation, rubrics.
    """

    name: str = "domain_specific_rubrics"
    with_reference: bool = False

    @property
    def general(self) -> Mapping[str, str]:
        """The rubric where the user gives none."""
        return WITH_REFERENCE if self.with_reference else WITHOUT_REFERENCE

    async def measure(
        self,
        user_input: UserInput = "",
        response: str = "",
        retrieved_contexts: Sequence[str] = (),
        reference: str = "",
        reference_contexts: Sequence[str] = (),
        *,
        judge: Judge,
    ) -> MetricResult:
        """Ask for the score."""
        if self.with_reference and blank(reference):
            raise Unscored("no_reference", "the reference is blank")
        given = (user_input, response, retrieved_contexts, reference, reference_contexts)
        return await self.grade(judge, *given)

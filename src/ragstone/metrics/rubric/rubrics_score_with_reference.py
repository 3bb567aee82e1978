"""Rubrics with reference: a general score for agreement with the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._texts import blank
from ragstone.metrics.rubric._parts import UserInput
from ragstone.metrics.rubric._rubric_metric import WITH_REFERENCE, RubricMetric
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["RubricsScoreWithReference"]


@dataclass(frozen=True, kw_only=True)
class RubricsScoreWithReference(RubricMetric):
    """How well the response agrees with the reference by a rubric, 1 to 5; higher is better.

    `rubrics` replaces the general rubric. Unscored: neither question nor response; a blank
    reference (no_reference). Calls: 1. Source: Ragas documentation, rubrics.
    """

    name: str = "rubrics_score_with_reference"

    @property
    def general(self) -> Mapping[str, str]:
        """The rubric where the user gives none."""
        return WITH_REFERENCE

    async def measure(
        self,
        reference: str,
        user_input: UserInput = "",
        response: str = "",
        retrieved_contexts: Sequence[str] = (),
        reference_contexts: Sequence[str] = (),
        *,
        judge: Judge,
    ) -> MetricResult:
        """Ask for the score."""
        if blank(reference):
            raise Unscored("no_reference", "the reference is blank")
        given = (user_input, response, retrieved_contexts, reference, reference_contexts)
        return await self.grade(judge, *given)

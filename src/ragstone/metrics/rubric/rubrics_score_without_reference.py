"""Rubrics without reference: a general score for how well the question is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics.rubric._parts import UserInput
from ragstone.metrics.rubric._rubric_metric import RubricMetric
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["RubricsScoreWithoutReference"]


@dataclass(frozen=True, kw_only=True)
class RubricsScoreWithoutReference(RubricMetric):
    """How well the response answers by a rubric, 1 to 5; higher is better.

    `rubrics` replaces the general rubric. A reference is not shown to the judge. Unscored: neither
    question nor response. Calls: 1. Source: Ragas documentation, rubrics.
    """

    name: str = "rubrics_score_without_reference"

    async def measure(
        self,
        user_input: UserInput = "",
        response: str = "",
        retrieved_contexts: Sequence[str] = (),
        *,
        judge: Judge,
    ) -> MetricResult:
        """Ask for the score."""
        return await self.grade(judge, user_input, response, retrieved_contexts)

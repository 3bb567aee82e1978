"""Instance-specific rubrics: a score by the rubric of the sample itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics.base import Metric
from ragstone.metrics.rubric._levels import GRADE, GradePrompt, ask_grade, in_text, read_levels
from ragstone.metrics.rubric._parts import UserInput, to_judge
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["InstanceSpecificRubrics"]


@dataclass(frozen=True, kw_only=True)
class InstanceSpecificRubrics(Metric):
    """The score that a sample earns by its own `rubrics`; the range is that of each rubric.

    The rubric has keys such as "score0_description"; any whole numbers will do. Scores are
    averaged, which says something when the rubrics share their levels. Reads whatever fields the
    sample has; a conversation is judged as text. Unscored: an empty rubric (no_rubric); neither
    question nor response. Calls: 1. Source: Ragas documentation, rubrics.
    """

    name: str = "instance_specific_rubrics"
    scoring_prompt: GradePrompt = GRADE

    low = None
    high = None

    async def measure(
        self,
        rubrics: Mapping[str, str],
        user_input: UserInput = "",
        response: str = "",
        retrieved_contexts: Sequence[str] = (),
        reference: str = "",
        reference_contexts: Sequence[str] = (),
        *,
        judge: Judge,
    ) -> MetricResult:
        """Ask for the score."""
        if not rubrics:
            raise Unscored("no_rubric", "the rubric of the sample is empty")
        levels = read_levels(rubrics)
        data = to_judge(
            in_text(levels),
            user_input,
            response,
            retrieved_contexts,
            reference,
            reference_contexts,
        )
        return await ask_grade(judge, self.scoring_prompt, data, levels)

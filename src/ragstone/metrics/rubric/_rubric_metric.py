"""What metrics with one rubric for all samples share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ragstone.metrics.base import Metric
from ragstone.metrics.rubric._levels import GRADE, GradePrompt, ask_grade, in_text, read_levels
from ragstone.metrics.rubric._parts import UserInput, to_judge
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["WITHOUT_REFERENCE", "WITH_REFERENCE", "RubricMetric"]

WITHOUT_REFERENCE: Mapping[str, str] = {
    "score1_description": "The response is wrong throughout, or misses what was asked.",
    "score2_description": "Parts are right, but there are grave mistakes or gaps.",
    "score3_description": "Most is right, but it is unclear, thin, or lacks smaller points.",
    "score4_description": "It is right and clear, with a small slip or gap.",
    "score5_description": "It is right throughout, clear, and answers all that was asked.",
}
"""The rubric where there is no reference."""

WITH_REFERENCE: Mapping[str, str] = {
    "score1_description": "The response is wrong, beside the point, or against the reference.",
    "score2_description": "Parts agree with the reference, but there are grave mistakes or gaps.",
    "score3_description": "It agrees with the reference on the whole, but is thin or unclear.",
    "score4_description": "It agrees closely with the reference, with a small slip or gap.",
    "score5_description": "It says all that the reference says, without mistake and clearly.",
}
"""The rubric where there is a reference."""


@dataclass(frozen=True, kw_only=True)
class RubricMetric(Metric):
    """A metric with a rubric: `rubrics`, or else a general one. The range is that of the rubric."""

    rubrics: Mapping[str, str] | None = None
    scoring_prompt: GradePrompt = GRADE

    low: ClassVar[float | None] = 1.0
    high: ClassVar[float | None] = 5.0
    silent = frozenset({"rubrics"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rubrics is not None:
            object.__setattr__(self, "rubrics", dict(self.rubrics))
        object.__setattr__(self, "low", float(min(self.levels)))
        object.__setattr__(self, "high", float(max(self.levels)))

    @property
    def general(self) -> Mapping[str, str]:
        """The rubric where the user gives none."""
        return WITHOUT_REFERENCE

    @cached_property
    def levels(self) -> Mapping[int, str]:
        """What earns each score, the lowest first."""
        return read_levels(self.general if self.rubrics is None else self.rubrics)

    async def grade(
        self,
        judge: Judge,
        user_input: UserInput,
        response: str,
        retrieved_contexts: Sequence[str],
        reference: str = "",
        reference_contexts: Sequence[str] = (),
    ) -> MetricResult:
        """Ask for the score of a sample."""
        parts = (user_input, response, retrieved_contexts, reference, reference_contexts)
        data = to_judge(in_text(self.levels), *parts)
        return await ask_grade(judge, self.scoring_prompt, data, self.levels)

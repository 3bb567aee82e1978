"""Simple criteria: a whole number on a scale, for a criterion that the user words."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics._texts import blank
from ragstone.metrics._votes import ask_often
from ragstone.metrics.base import Metric
from ragstone.metrics.rubric._levels import GradePrompt, narrowed
from ragstone.metrics.rubric._parts import UserInput, to_judge
from ragstone.prompt.criteria import SCALE
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["SimpleCriteria"]


@dataclass(frozen=True, kw_only=True)
class SimpleCriteria(Metric):
    """The score on `scale` (by default 0 to 5) that a sample earns by the criterion `definition`.

    Whole numbers only; the range is that of the scale. `strictness` independent answers are asked
    for, and the median counts. `higher_is_better` may be False. Reads whatever fields the sample
    has; a conversation is judged as text. Unscored: neither question nor response.
    Calls: `strictness`. Source: Ragas documentation, simple criteria.
    """

    definition: str = ""
    scale: tuple[int, int] = (0, 5)
    strictness: int = 1
    higher_is_better: bool = True  # type: ignore[misc]
    prompt: GradePrompt = SCALE

    low = 0.0
    high = 5.0
    silent = frozenset({"definition", "scale", "higher_is_better"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if blank(self.definition):
            raise UsageError(f"{self.name!r} needs a definition: the criterion in words")
        if self.strictness < 1:
            raise UsageError(f"strictness must be 1 or more, not {self.strictness!r}")
        scale = tuple(self.scale)
        if len(scale) != 2 or any(type(end) is not int for end in scale) or scale[0] >= scale[1]:
            raise UsageError(f"scale must be (lowest, highest) in whole numbers, not {scale!r}")
        own = (("scale", scale), ("low", float(scale[0])), ("high", float(scale[1])))
        for name, value in own:
            object.__setattr__(self, name, value)

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
        """Ask for the score, as often as `strictness` says."""
        low, high = self.scale
        data = to_judge(
            f"{self.definition}\nScores from {low} (worst fit) to {high} (best fit).",
            user_input,
            response,
            retrieved_contexts,
            reference,
            reference_contexts,
        )
        scored = narrowed(self.prompt, tuple(range(low, high + 1)))
        replies = await ask_often(judge, scored, data, self.strictness)
        found = [reply.value for reply in replies]
        value = statistics.median(found)
        nearest = min(replies, key=lambda reply: abs(reply.value - value))
        several = f" (median of {', '.join(map(str, found))})" if len(found) > 1 else ""
        return MetricResult(
            value,
            reason=f"{nearest.reason}{several}",
            evidence=tuple(
                Evidence(text=self.definition, verdict=str(reply.value), reason=reply.reason)
                for reply in replies
            ),
        )

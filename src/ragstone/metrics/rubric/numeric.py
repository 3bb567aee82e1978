"""Numeric metric: a number within bounds, by a prompt of the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ragstone.metrics._bounds import Bounds, ends, read_bounds, told_bounds
from ragstone.metrics.rubric._own_prompt import OwnPrompt, refuse_blanks
from ragstone.prompt.criteria import FieldsIn, number_reply
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["NumericMetric"]


@dataclass(frozen=True, kw_only=True)
class NumericMetric(OwnPrompt):
    """A number within `allowed_values`, given by a judge that reads `prompt`.

    The prompt's {placeholders} are the inputs: sample fields or other columns. `allowed_values` is
    (lowest, highest), or a range of whole numbers; the default is 0 to 1. A number outside of it is
    asked for once more and never taken. `higher_is_better` may be False. Unscored: all inputs
    blank. Calls: 1. Source: Ragas documentation, numeric metrics.
    """

    allowed_values: Bounds = (0.0, 1.0)
    higher_is_better: bool = True  # type: ignore[misc]

    low = 0.0
    high = 1.0
    silent = frozenset({"prompt", "allowed_values", "higher_is_better"})

    def __post_init__(self) -> None:
        bounds = read_bounds(self.allowed_values)
        low, high = ends(bounds)
        for name, value in (("allowed_values", bounds), ("low", low), ("high", high)):
            object.__setattr__(self, name, value)
        super().__post_init__()

    @property
    def reply(self) -> type[BaseModel]:
        """A reason and a number."""
        return number_reply(self.allowed_values)

    @property
    def told(self) -> str:
        """The bounds."""
        return f"Answer with {told_bounds(self.allowed_values)}."

    async def measure(self, *, judge: Judge, **fields: Any) -> MetricResult:
        """Ask for the number."""
        refuse_blanks(fields)
        reply = await judge.ask(self.question, FieldsIn(**fields))
        piece = Evidence(text=self.name, verdict=f"{reply.value:g}", reason=reply.reason)
        return MetricResult(reply.value, reason=reply.reason, evidence=(piece,))

"""Discrete metric: one label out of a list, by a prompt of the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ragstone.errors import UsageError
from ragstone.metrics._votes import ask_often, in_words, majority
from ragstone.metrics.rubric._own_prompt import OwnPrompt, refuse_blanks
from ragstone.prompt.criteria import FieldsIn, label_reply
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["DiscreteMetric"]


@dataclass(frozen=True, kw_only=True)
class DiscreteMetric(OwnPrompt):
    """One of `allowed_values`, chosen by a judge that reads `prompt`.

    The prompt's {placeholders} are the inputs: sample fields or other columns. The label is closed:
    nothing else is accepted. `strictness` independent answers are asked for, the majority counts.
    Labels that are numbers are averaged, others are counted. Unscored: all inputs blank; a tie.
    Calls: `strictness`. Source: Ragas documentation, discrete metrics.
    """

    allowed_values: tuple[str | int, ...] = ("pass", "fail")
    strictness: int = 1

    silent = frozenset({"prompt", "allowed_values"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed_values", tuple(self.allowed_values))
        super().__post_init__()
        labels = self.allowed_values
        if len(set(labels)) < 2 or len(set(labels)) != len(labels):
            raise UsageError(f"allowed_values needs two or more different labels, not {labels!r}")
        if self.strictness < 1:
            raise UsageError(f"strictness must be 1 or more, not {self.strictness!r}")

    @property
    def reply(self) -> type[BaseModel]:
        """A reason and one of the labels."""
        return label_reply(self.allowed_values)

    @property
    def told(self) -> str:
        """The labels."""
        return f"Answer with one of: {', '.join(str(label) for label in self.allowed_values)}."

    async def measure(self, *, judge: Judge, **fields: Any) -> MetricResult:
        """Ask for the label, as often as `strictness` says."""
        refuse_blanks(fields)
        replies = await ask_often(judge, self.question, FieldsIn(**fields), self.strictness)
        vote = majority([reply.value for reply in replies])
        return MetricResult(
            vote.label,
            reason=in_words(vote, [(reply.value, reply.reason) for reply in replies]),
            evidence=tuple(
                Evidence(text=self.name, verdict=str(reply.value), reason=reply.reason)
                for reply in replies
            ),
        )

"""Discrete metric: one label out of a list, by a prompt of the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._template import placeholders, point_at_blocks
from ragstone.metrics._texts import empty
from ragstone.metrics._votes import ask_often, in_words, majority
from ragstone.metrics.base import Metric
from ragstone.metrics.signature import TOOLS, Needs
from ragstone.prompt.criteria import FieldsIn, label_reply
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import Words
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["DiscreteMetric"]


@dataclass(frozen=True, kw_only=True)
class DiscreteMetric(Metric):
    """One of `allowed_values`, chosen by a judge that reads `prompt`.

    The prompt's {placeholders} are the inputs: sample fields or other columns. The label is closed:
    nothing else is accepted. `strictness` independent answers are asked for, the majority counts.
    Labels that are numbers are averaged, others are counted. Unscored: all inputs blank; a tie.
    Calls: `strictness`. Source: Ragas documentation, discrete metrics.
    """

    prompt: str = ""
    allowed_values: tuple[str | int, ...] = ("pass", "fail")
    strictness: int = 1

    low = None
    high = None
    silent = frozenset({"prompt", "allowed_values"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowed_values", tuple(self.allowed_values))
        super().__post_init__()
        labels = self.allowed_values
        if len(set(labels)) < 2 or len(set(labels)) != len(labels):
            raise UsageError(f"allowed_values needs two or more different labels, not {labels!r}")
        if taken := TOOLS & set(self.needs.required):
            raise UsageError(
                f"the placeholder {{{min(taken)}}} of {self.name!r} needs another name"
            )
        if not self.needs.required:
            raise UsageError(
                f"the prompt of {self.name!r} has no {{placeholder}}: nothing to judge"
            )
        if self.strictness < 1:
            raise UsageError(f"strictness must be 1 or more, not {self.strictness!r}")

    @cached_property
    def needs(self) -> Needs:
        """The placeholders of the prompt, all required."""
        return Needs(required=placeholders(self.prompt), optional=(), tools=("judge",))

    @cached_property
    def question(self) -> Prompt[FieldsIn, Any]:
        """The typed prompt that is asked."""
        labels = ", ".join(str(label) for label in self.allowed_values)
        words = Words("1", f"{point_at_blocks(self.prompt)}\n\nAnswer with one of: {labels}.")
        reply = label_reply(self.allowed_values)
        return Prompt(f"own/{self.name}", FieldsIn, reply, own_words=words)

    @property
    def prompts(self) -> dict[str, Prompt[Any, Any]]:
        """The prompt that is asked."""
        return {"question": self.question}

    async def measure(self, *, judge: Judge, **fields: Any) -> MetricResult:
        """Ask for the label, as often as `strictness` says."""
        if all(empty(value) for value in fields.values()):
            raise Unscored("not_applicable", "all inputs are blank")
        data = FieldsIn(**fields)
        replies = await ask_often(judge, self.question, data, self.strictness)
        vote = majority([reply.value for reply in replies])
        return MetricResult(
            vote.label,
            reason=in_words(vote, [(reply.value, reply.reason) for reply in replies]),
            evidence=tuple(
                Evidence(text=self.name, verdict=str(reply.value), reason=reply.reason)
                for reply in replies
            ),
        )

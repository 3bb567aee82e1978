"""Aspect critic: does a sample meet a criterion that the user words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics._texts import blank
from ragstone.metrics._votes import ask_often, in_words, majority
from ragstone.metrics.base import Metric
from ragstone.metrics.rubric._parts import UserInput, to_judge
from ragstone.prompt.criteria import ASPECT, AspectIn, AspectVerdict
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["AspectCritic"]


@dataclass(frozen=True, kw_only=True)
class AspectCritic(Metric):
    """1 when the sample meets the criterion in `definition`, else 0.

    `strictness` independent answers are asked for (an odd number decides every case) and the
    majority counts; the agreement stands in the reason. `higher_is_better` is False for criteria
    that a good answer does not meet, such as maliciousness. Reads whatever fields the sample has;
    a conversation is judged as text.
    Unscored: nothing to judge; a tie. Calls: `strictness`. Source: Ragas documentation.
    """

    definition: str = ""
    strictness: int = 1
    higher_is_better: bool = True  # type: ignore[misc]
    prompt: Prompt[AspectIn, AspectVerdict] = ASPECT

    silent = frozenset({"definition", "higher_is_better"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if blank(self.definition):
            raise UsageError(f"{self.name!r} needs a definition: the criterion in words")
        if self.strictness < 1:
            raise UsageError(f"strictness must be 1 or more, not {self.strictness!r}")

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
        """Ask whether the criterion is met, as often as `strictness` says."""
        data = to_judge(
            self.definition,
            user_input,
            response,
            retrieved_contexts,
            reference,
            reference_contexts,
        )
        replies = await ask_often(judge, self.prompt, data, self.strictness)
        vote = majority([reply.verdict for reply in replies])
        return MetricResult(
            int(vote.label == "yes"),
            reason=in_words(vote, [(reply.verdict, reply.reason) for reply in replies]),
            evidence=tuple(
                Evidence(text=self.definition, verdict=reply.verdict, reason=reply.reason)
                for reply in replies
            ),
        )

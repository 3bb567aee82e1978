"""Tool call accuracy: did the agent make the expected calls, with their arguments, in order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ragstone.metrics._conversation import Conversation
from ragstone.metrics.agent._arguments import (
    Comparison,
    comparison,
    differences,
    score_arguments,
    tools_wanted,
)
from ragstone.metrics.agent._calls import call_text, calls_made, expected_calls
from ragstone.metrics.agent._pairing import Pair, Scores, best_pairs, pairs_in_order
from ragstone.metrics.base import Metric
from ragstone.metrics.signature import Needs, read_needs
from ragstone.schema.messages import ToolCall
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = ["ToolCallAccuracy"]


@dataclass(frozen=True, kw_only=True)
class ToolCallAccuracy(Metric):
    """Agreement of the calls made with the reference calls, 0 to 1, higher is better.

    Calls are paired by name; a pair scores the share of the reference's arguments that are equal
    (1 and 1.0 and "1" are; arguments beyond the reference's do not count). The value is the sum
    over the pairs, divided by the number of calls made or of reference calls, whichever is larger.
    With `strict_order` the calls that both sides share by name must come in one order, else the
    value is 0; without it they are paired in the way that scores best. `arg_comparison` scores
    arguments that are not equal: a 0 to 1 metric of response and reference (or its name), or a
    function (expected, got). Both sides empty: 1. Unscored: when `arg_comparison` is.
    Source: Ragas documentation, tool call accuracy.
    """

    name: str = "tool_call_accuracy"
    strict_order: bool = True
    arg_comparison: object = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "arg_comparison", comparison(self.arg_comparison))
        super().__post_init__()

    @cached_property
    def compare(self) -> Comparison:
        """How arguments that are not equal are scored."""
        return comparison(self.arg_comparison)

    @cached_property
    def needs(self) -> Needs:
        """What `measure` takes; of the tools those that the comparison needs."""
        found = read_needs(type(self).__name__, type(self).measure)
        return replace(found, tools=tools_wanted(self.compare))

    async def measure(
        self,
        user_input: Conversation,
        reference_tool_calls: Sequence[ToolCall],
        *,
        judge: Judge | None = None,
        embedder: Embedder | None = None,
    ) -> MetricResult:
        """Pair the calls of all AI messages with the reference calls."""
        made = calls_made(self.key, user_input)
        expected = expected_calls(self.key, reference_tool_calls)
        most = max(len(made), len(expected))
        if not most:
            return MetricResult(1.0, reason="no call expected, none made")
        tools = Toolbox(judge=judge, embedder=embedder)
        scores = await score_arguments(self.compare, made, expected, tools)
        paired = best_pairs(scores)
        kept = pairs_in_order(scores) if self.strict_order else paired
        evidence = tuple(_evidence(made, expected, scores, kept))
        if len(kept) < len(paired):
            reason = f"{len(paired)} calls are shared by name, but in another order"
            return MetricResult(0.0, reason=reason, evidence=evidence)
        total = math.fsum(scores[i][j] or 0.0 for i, j in kept)
        reason = f"{len(kept)} of {most} calls paired, argument scores sum to {total:.4g}"
        return MetricResult(total / most, reason=reason, evidence=evidence)


def _evidence(
    made: Sequence[ToolCall], expected: Sequence[ToolCall], scores: Scores, pairs: Sequence[Pair]
) -> Iterator[Evidence]:
    for i, j in pairs:
        score = scores[i][j] or 0.0
        verdict = "matched" if score == 1.0 else "partly_matched" if score else "wrong_arguments"
        yield Evidence(call_text(made[i]), verdict, differences(made[i], expected[j]), weight=score)
    rows, columns = {i for i, _ in pairs}, {j for _, j in pairs}
    yield from (Evidence(call_text(c), "extra") for i, c in enumerate(made) if i not in rows)
    yield from (
        Evidence(call_text(c), "missing") for j, c in enumerate(expected) if j not in columns
    )

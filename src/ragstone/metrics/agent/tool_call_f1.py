"""Tool call F1: did the agent make the expected tool calls, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.metrics._conversation import Conversation
from ragstone.metrics._counts import f_beta, precision, recall
from ragstone.metrics.agent._calls import call_text, calls_made, expected_calls
from ragstone.metrics.base import Metric
from ragstone.schema.messages import ToolCall
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["ToolCallF1"]


@dataclass(frozen=True, kw_only=True)
class ToolCallF1(Metric):
    """F1 of the calls made against the reference calls, 0 to 1, higher is better.

    A call matches when name and all arguments are equal (1 and 1.0 are, 1 and "1" are not). Equal
    calls count as often as they occur (multisets), and the order does not matter. Both sides empty:
    1.0, the agent rightly called nothing.
    Unscored: never. Source: Ragas documentation, tool call F1.
    """

    name: str = "tool_call_f1"

    def measure(
        self, user_input: Conversation, reference_tool_calls: Sequence[ToolCall]
    ) -> MetricResult:
        """Compare the calls of all AI messages with the reference calls."""
        made = calls_made(self.key, user_input)
        wanted = expected_calls(self.key, reference_tool_calls)
        got, expected = Counter(map(call_text, made)), Counter(map(call_text, wanted))
        if not got and not expected:
            return MetricResult(1.0, reason="no call expected, none made")
        matched, extra, missing = got & expected, got - expected, expected - got
        tp, fp, fn = matched.total(), extra.total(), missing.total()
        evidence = tuple(
            Evidence(text=call, verdict=verdict)
            for verdict, calls in (("matched", matched), ("extra", extra), ("missing", missing))
            for call in calls.elements()
        )
        return MetricResult(
            f_beta(precision(tp, fp), recall(tp, fn)),
            reason=f"TP {tp}, FP {fp}, FN {fn}",
            evidence=evidence,
        )

"""Tool call F1: did the agent make the expected tool calls, in any order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import UsageError
from ragstone.metrics._counts import f_beta, precision, recall
from ragstone.metrics.base import Metric
from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from ragstone.schema.results import Evidence, MetricResult

__all__ = ["ToolCallF1"]


@dataclass(frozen=True, kw_only=True)
class ToolCallF1(Metric):
    """F1 of the calls made against the reference calls, 0 to 1, higher is better.

    A call matches when name and all arguments are equal; equal calls count as often as they occur
    (multisets), the order does not matter. Both sides empty: 1.0, the agent rightly called nothing.
    Unscored: never. Source: Ragas documentation, tool call F1.
    """

    name: str = "tool_call_f1"

    def measure(
        self,
        user_input: str | Sequence[HumanMessage | AIMessage | ToolMessage],
        reference_tool_calls: Sequence[ToolCall],
    ) -> MetricResult:
        """Compare the calls of all AI messages with the reference calls."""
        if isinstance(user_input, str):
            raise UsageError(f"{self.key!r} needs a conversation: user_input must be messages")
        made = [c for m in user_input if isinstance(m, AIMessage) for c in m.tool_calls or ()]
        got, expected = Counter(map(_text, made)), Counter(map(_text, reference_tool_calls))
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


def _text(call: ToolCall) -> str:
    arguments = json.dumps(call.args, sort_keys=True, ensure_ascii=False, default=str)
    return f"{call.name}({arguments})"

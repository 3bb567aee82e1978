"""Agent goal accuracy with a reference: did the expected outcome come about."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._conversation import Conversation, messages_of, need_both
from ragstone.metrics._texts import need_text
from ragstone.metrics.agent._goal import (
    OutcomePrompt,
    WorkflowPrompt,
    compare_outcome,
    infer_workflow,
)
from ragstone.metrics.base import Metric
from ragstone.prompt.goal import OUTCOME, WORKFLOW
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["AgentGoalAccuracyWithReference"]


@dataclass(frozen=True, kw_only=True)
class AgentGoalAccuracyWithReference(Metric):
    """1.0 when the conversation ends with the outcome in `reference`, else 0.0; higher is better.

    How it ended is inferred without a look at the reference, and then compared with it. The local
    judge cannot infer it (needs_llm). Unscored: a conversation in which one side says nothing; a
    blank reference. Calls: 2, the first one shared with the metric without reference. Source: Ragas
    documentation, agent goal accuracy.
    """

    name: str = "agent_goal_accuracy_with_reference"
    workflow_prompt: WorkflowPrompt = WORKFLOW
    compare_outcome_prompt: OutcomePrompt = OUTCOME

    async def measure(
        self, user_input: Conversation, reference: str, *, judge: Judge
    ) -> MetricResult:
        """Infer how the conversation ended, and compare that with the reference."""
        messages = need_both(messages_of(self.key, user_input))
        need_text(reference, "no_reference", "reference")
        found = await infer_workflow(judge, self.workflow_prompt, messages)
        return await compare_outcome(judge, self.compare_outcome_prompt, reference, found.end_state)

"""Agent goal accuracy without a reference: did the user get what the user wanted."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.metrics._conversation import Conversation, messages_of, need_both
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

__all__ = ["AgentGoalAccuracyWithoutReference"]


@dataclass(frozen=True, kw_only=True)
class AgentGoalAccuracyWithoutReference(Metric):
    """1.0 when the conversation ends with what the user wanted, else 0.0; higher is better.

    Goal and end are inferred in one call and compared in another. The local judge cannot infer them
    (needs_llm). Unscored: a conversation in which one side says nothing, or no goal is found.
    Calls: 2. Source: Ragas documentation, agent goal accuracy.
    """

    name: str = "agent_goal_accuracy_without_reference"
    workflow_prompt: WorkflowPrompt = WORKFLOW
    compare_outcome_prompt: OutcomePrompt = OUTCOME

    async def measure(self, user_input: Conversation, *, judge: Judge) -> MetricResult:
        """Infer what was wanted and how it ended, and compare the two."""
        messages = need_both(messages_of(self.key, user_input))
        found = await infer_workflow(judge, self.workflow_prompt, messages)
        return await compare_outcome(
            judge, self.compare_outcome_prompt, found.user_goal, found.end_state
        )

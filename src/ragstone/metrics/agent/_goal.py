"""The steps that both metrics of goal accuracy share."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import Unscored
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.prompt.conversation import ConversationIn
from ragstone.prompt.goal import OutcomeIn, OutcomeVerdict, Workflow
from ragstone.prompt.prompt import Prompt
from ragstone.schema.messages import Message, conversation_text
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = ["OutcomePrompt", "WorkflowPrompt", "compare_outcome", "infer_workflow"]

WorkflowPrompt = Prompt[ConversationIn, Workflow]
OutcomePrompt = Prompt[OutcomeIn, OutcomeVerdict]


async def infer_workflow(
    judge: Judge, prompt: WorkflowPrompt, messages: Sequence[Message]
) -> Workflow:
    """What the user wanted and how it ended; of a long conversation part by part, in order."""
    pieces = fit(judge, conversation_text(messages))
    found = await together(
        judge.ask(prompt, ConversationIn(conversation=piece)) for piece in pieces
    )
    return Workflow(
        user_goal=_joined([each.user_goal for each in found]),
        end_state=_joined([each.end_state for each in found]),
    )


async def compare_outcome(
    judge: Judge, prompt: OutcomePrompt, desired: str, arrived: str
) -> MetricResult:
    """1.0 when the arrived outcome is the desired one, else 0.0."""
    if blank(desired) or blank(arrived):
        side = "what the user wanted" if blank(desired) else "how the conversation ended"
        raise Unscored("not_applicable", f"the judge could not say {side}")
    data = OutcomeIn(desired_outcome=desired, arrived_outcome=arrived)
    reply = await judge.ask(prompt, data)
    evidence = Evidence(
        f"wanted: {desired}\narrived at: {arrived}", reply.verdict, reason=reply.reason
    )
    return MetricResult(
        float(reply.verdict == "reached"), reason=reply.reason, evidence=(evidence,)
    )


def _joined(parts: Sequence[str]) -> str:
    return "\n".join(dict.fromkeys(part.strip() for part in parts if not blank(part)))

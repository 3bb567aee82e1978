"""Knowledge retention: does the application remember what the user told it."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._conversation import Conversation, messages_of, need_both, said_by_ai
from ragstone.metrics._texts import blank
from ragstone.metrics.agent._turns import share_of_turns
from ragstone.metrics.base import Metric
from ragstone.prompt.conversation import RETENTION, RetentionIn, RetentionVerdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.messages import HumanMessage
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["KnowledgeRetention"]


@dataclass(frozen=True, kw_only=True)
class KnowledgeRetention(Metric):
    """Share of the AI's messages that forget nothing the user had told, 0 to 1, higher is better.

    A message forgets when it asks again for what was told, or speaks against it. Messages before
    the user's first one and those without text are skipped, and their number stands in the reason.
    The local judge cannot tell (needs_llm). Unscored: a conversation in which one side says
    nothing, or no message of the AI follows one of the user. Calls: one for every 50 messages.
    Source: the conversational metric of that name in DeepEval.
    """

    name: str = "knowledge_retention"
    prompt: Prompt[RetentionIn, VerdictList[RetentionVerdict]] = RETENTION

    async def measure(self, user_input: Conversation, *, judge: Judge) -> MetricResult:
        """Judge each message of the AI in view of what the user had said before it."""
        messages = need_both(messages_of(self.key, user_input))
        first = next(
            index
            for index, message in enumerate(messages)
            if isinstance(message, HumanMessage) and not blank(message.content)
        )
        places = [place for place in said_by_ai(messages) if place > first]
        if not places:
            raise Unscored("not_applicable", "no text of the AI follows a message of the user")
        return await share_of_turns(judge, self.prompt, messages, places, "retained", HumanMessage)

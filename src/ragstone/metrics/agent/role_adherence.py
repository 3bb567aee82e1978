"""Role adherence: does the application stay in the role that it was given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ragstone.errors import Unscored
from ragstone.metrics._conversation import Conversation, messages_of, said_by_ai
from ragstone.metrics._texts import blank, need_text
from ragstone.metrics.agent._turns import share_of_turns
from ragstone.metrics.base import Metric
from ragstone.metrics.signature import Needs, read_needs
from ragstone.prompt.conversation import ROLE, RoleIn, RoleVerdict
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.messages import AIMessage
from ragstone.schema.results import MetricResult
from ragstone.tools.judge import Judge

__all__ = ["RoleAdherence"]


@dataclass(frozen=True, kw_only=True)
class RoleAdherence(Metric):
    """Share of the AI's messages that suit its role, 0 to 1, higher is better.

    The role stands in the sample's `chatbot_role`, or, for samples that have none, in `role`.
    Messages without text are skipped, and their number stands in the reason. The local judge cannot
    tell (needs_llm). Unscored: no message of the AI with text; a blank role. Calls: one for every
    50 messages. Source: the conversational metric of that name in DeepEval.
    """

    name: str = "role_adherence"
    role: str = ""
    prompt: Prompt[RoleIn, VerdictList[RoleVerdict]] = ROLE

    silent = frozenset({"role"})

    @cached_property
    def needs(self) -> Needs:
        """What `measure` takes; the sample must name the role when the metric does not."""
        found = read_needs(type(self).__name__, type(self).measure)
        if not blank(self.role):
            return found
        return replace(found, required=(*found.required, *found.optional), optional=())

    async def measure(
        self, user_input: Conversation, chatbot_role: str = "", *, judge: Judge
    ) -> MetricResult:
        """Judge each message of the AI by the role."""
        messages = messages_of(self.key, user_input)
        role = self.role if blank(chatbot_role) else chatbot_role
        need_text(role, "no_role", "chatbot_role")
        places = said_by_ai(messages)
        if not places:
            raise Unscored("not_applicable", "the application says nothing in the conversation")
        return await share_of_turns(
            judge, self.prompt, messages, places, "in_role", AIMessage, role=role
        )

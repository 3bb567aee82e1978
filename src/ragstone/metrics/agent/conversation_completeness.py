"""Conversation completeness: did the user get all that the user wanted."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._conversation import Conversation, messages_of, need_both, quoted
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.prompt.conversation import (
    FULFILMENT,
    INTENTIONS,
    ConversationIn,
    FulfilmentIn,
    FulfilmentVerdict,
    Intentions,
)
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.messages import AIMessage, HumanMessage, ToolMessage, conversation_text
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = ["ConversationCompleteness"]


@dataclass(frozen=True, kw_only=True)
class ConversationCompleteness(Metric):
    """Share of the user's intentions that are satisfied by the end, 0 to 1, higher is better.

    An intention that is met in part, promised or refused is not satisfied. The local judge cannot
    tell (needs_llm). Unscored: a conversation in which one side says nothing; a user who wants
    nothing (no_intention). Calls: one for the intentions, one for every 50 of them. Source: the
    conversational metric of that name in DeepEval.
    """

    name: str = "conversation_completeness"
    intentions_prompt: Prompt[ConversationIn, Intentions] = INTENTIONS
    fulfilment_prompt: Prompt[FulfilmentIn, VerdictList[FulfilmentVerdict]] = FULFILMENT

    async def measure(self, user_input: Conversation, *, judge: Judge) -> MetricResult:
        """List what the user wants, and look for each in what the application said and did."""
        messages = need_both(messages_of(self.key, user_input))
        text = conversation_text(messages)
        replies = await together(
            judge.ask(self.intentions_prompt, ConversationIn(conversation=piece))
            for piece in fit(judge, text)
        )
        found = [each for reply in replies for each in reply.intentions]
        wanted = {each.intention.strip(): each.quote for each in found if not blank(each.intention)}
        if not wanted:
            raise Unscored("no_intention", "the user wants nothing in the conversation")
        verdicts = await judge.verdicts(self.fulfilment_prompt, list(wanted), conversation=[text])
        evidence = tuple(
            Evidence(
                intention,
                verdict.verdict,
                verdict.reason,
                quoted(quote, messages, HumanMessage)
                + quoted(verdict.quote, messages, AIMessage, ToolMessage),
            )
            for (intention, quote), verdict in zip(wanted.items(), verdicts, strict=True)
        )
        met = sum(verdict.verdict == "satisfied" for verdict in verdicts)
        reason = f"{met} of {len(wanted)} intentions satisfied"
        return MetricResult(met / len(wanted), reason=reason, evidence=evidence)

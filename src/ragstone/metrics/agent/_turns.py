"""The step that metrics of the AI's messages share: one verdict for each, in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ragstone.metrics._conversation import by_item, quoted
from ragstone.metrics._texts import whole
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.schema.messages import AIMessage, Message
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["TurnVerdict", "share_of_turns"]


class TurnVerdict(Protocol):
    """What the verdict on a message holds."""

    @property
    def verdict(self) -> str:
        """The label."""

    @property
    def reason(self) -> str:
        """Why."""

    @property
    def quote(self) -> str:
        """The words that decide it."""


async def share_of_turns(
    judge: Judge,
    prompt: Prompt[Any, VerdictList[Any]],
    messages: Sequence[Message],
    places: Sequence[int],
    good: str,
    quoting: type[Message],
    **shared: Any,
) -> MetricResult:
    """The share of the AI messages at these places whose verdict is the good one.

    `quoting` is whose words the verdicts quote. The denominator is the messages submitted; AI
    messages that are not submitted are counted in the reason.
    """
    texts = [messages[place].content for place in places]
    shown = [by_item(messages, places)]
    verdicts: list[TurnVerdict] = await judge.verdicts(prompt, texts, conversation=shown, **shared)
    evidence = tuple(
        Evidence(
            text,
            found.verdict,
            found.reason,
            (whole("user_input", text, place), *quoted(found.quote, messages, quoting)),
        )
        for text, place, found in zip(texts, places, verdicts, strict=True)
    )
    count = sum(found.verdict == good for found in verdicts)
    skipped = sum(isinstance(message, AIMessage) for message in messages) - len(places)
    reason = f"{count} of {len(places)} messages of the AI {good.replace('_', ' ')}"
    if skipped:
        reason += f"; {skipped} skipped, with nothing to judge"
    return MetricResult(count / len(places), reason=reason, evidence=evidence)

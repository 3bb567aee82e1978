"""The parts of a sample that a criterion is applied to: whatever fields it has."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import Unscored
from ragstone.metrics._texts import blank
from ragstone.prompt.criteria import AspectIn
from ragstone.schema.messages import AIMessage, HumanMessage, ToolMessage, conversation_text

__all__ = ["UserInput", "to_judge"]

UserInput = str | Sequence[HumanMessage | AIMessage | ToolMessage]
"""A question, or a conversation, which is judged as text."""


def to_judge(
    criterion: str,
    user_input: UserInput,
    response: str,
    retrieved_contexts: Sequence[str],
    reference: str,
    reference_contexts: Sequence[str],
) -> AspectIn:
    """The criterion and what is there to judge by it; blanks are left out.

    Raises Unscored("not_applicable") when there is neither a question nor a response.
    """
    told = user_input if isinstance(user_input, str) else conversation_text(user_input)
    if blank(told) and blank(response):
        raise Unscored("not_applicable", "there is neither a question nor a response to judge")
    return AspectIn(
        criterion=criterion,
        user_input=None if blank(told) else told,
        response=None if blank(response) else response,
        retrieved_contexts=[text for text in retrieved_contexts if not blank(text)] or None,
        reference=None if blank(reference) else reference,
        reference_contexts=[text for text in reference_contexts if not blank(text)] or None,
    )

"""The samples on which calls are counted: one question and one conversation, always the same."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ragstone.metrics.base import Metric
from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample

__all__ = ["EXAMPLES", "sample_for"]

_CONTEXTS = (
    "The Eiffel Tower is a wrought-iron lattice tower on the Champ de Mars in Paris. It is named "
    "after the engineer Gustave Eiffel, whose company designed and built it from 1887 to 1889.",
    "It was made as the centerpiece of the World's Fair of 1889, which marked a hundred years "
    "since the French Revolution. Artists protested against it at first.",
    "The tower is 330 metres tall, about as tall as a building of 81 floors. Until the Chrysler "
    "Building in New York was finished in 1930 it was the tallest structure in the world.",
    "Three levels are open to visitors, with restaurants on the first and the second. The top "
    "level lies 276 metres above the ground.",
    "The Louvre is the most visited museum in the world. It stands on the right bank of the Seine "
    "and holds the Mona Lisa.",
)
_CALLS = (
    ToolCall(name="find_tower", args={"city": "Paris"}),
    ToolCall(name="height_of", args={"tower": "Eiffel Tower", "unit": "m"}),
)
_SHARED: dict[str, Any] = {
    "reference": "The Eiffel Tower was built from 1887 to 1889. It is 330 metres tall.",
    "reference_tool_calls": list(_CALLS),
    "reference_topics": ["architecture", "travel"],
    "chatbot_role": "A guide who answers briefly.",
    "rubrics": {"score1_description": "The answer is wrong.", "score2_description": "It is right."},
    "run_time": 1.5,
}
_RESPONSE = (
    "The Eiffel Tower was built between 1887 and 1889 by the company of Gustave Eiffel [1]. It is "
    "330 metres tall. Three of its levels are open to visitors."
)

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "aspect_critic": {"name": "polite", "definition": "Is the response polite?"},
    "discrete_metric": {"name": "tone", "prompt": "Is {response} fine for {user_input}?"},
    "numeric_metric": {"name": "length", "prompt": "How good is the length of {response}?"},
    "ranking_metric": {"name": "order", "prompt": "Rank tower and metres in {response}"},
    "simple_criteria": {"name": "clear", "definition": "How clear is the response, 0 to 5?"},
}
"""Parameters of the metrics that cannot be made without."""


def sample_for(metric: Metric, contexts: int) -> Sample:
    """The sample that a metric can read, with so many contexts."""
    parameters = inspect.signature(type(metric).measure).parameters
    kind = str(parameters["user_input"].annotation) if "user_input" in parameters else "str"
    texts = [_CONTEXTS[n % len(_CONTEXTS)] for n in range(contexts)]
    if "str" not in kind:
        talk: list[Any] = [
            HumanMessage(content="How tall is the tower in Paris?"),
            AIMessage(content="I look it up.", tool_calls=list(_CALLS)),
            ToolMessage(content="330"),
            AIMessage(content="It is 330 metres tall."),
            HumanMessage(content="And when was it built?"),
            AIMessage(content=_RESPONSE),
        ]
        return MultiTurnSample(user_input=talk, retrieved_contexts=texts, **_known(MultiTurnSample))
    return SingleTurnSample(
        user_input="When was the Eiffel Tower built, and how tall is it?",
        response=_RESPONSE,
        retrieved_contexts=texts,
        reference_contexts=texts[:2],
        retrieved_context_ids=list(range(contexts)),
        reference_context_ids=[0, 2],
        **_known(SingleTurnSample),
    )


def _known(kind: type[Sample]) -> dict[str, Any]:
    return {name: value for name, value in _SHARED.items() if name in kind.model_fields}

"""Scripts of judges, and samples, that several test rooms share."""

from __future__ import annotations

from typing import Any

from ragstone import aevaluate, evaluate
from ragstone.api.result import EvaluationResult
from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall
from ragstone.schema.samples import MultiTurnSample, SingleTurnSample
from ragstone.testing.fakes import FakeEmbedder, FakeJudge, labels

CLAIMS, SUPPORT, USEFUL = "claims/extract", "claims/support", "retrieval/usefulness"
QUESTIONS, ASPECT = "answer/questions", "criteria/aspect"


def claims(*texts: str, refuses: bool = False) -> dict[str, Any]:
    """The reply that a text makes these claims."""
    return {"refuses": refuses, "claims": list(texts)}


def all_support(verdict: str) -> Any:
    """A script that gives every item the same verdict."""
    return lambda data: {"verdicts": [{"id": i.id, "verdict": verdict} for i in data.items]}


def split_sentences(data: Any) -> dict[str, Any]:
    """A script for claims: the sentences of the text."""
    return claims(*[s.strip() for s in data.text.split(".") if s.strip()])


def support_by_text(data: Any) -> dict[str, Any]:
    """A script for support: an item is supported when a context holds it word for word."""
    held = " ".join(data.contexts)
    return {
        "verdicts": [
            {"id": i.id, "verdict": "supported" if i.text in held else "not_mentioned"}
            for i in data.items
        ]
    }


def reading_judge(**options: Any) -> FakeJudge:
    """A judge that answers all prompts by plain text comparison, so that scores follow the data."""
    return FakeJudge(
        {
            CLAIMS: split_sentences,
            SUPPORT: support_by_text,
            USEFUL: lambda d: {"verdict": "useful" if d.answer in d.context else "not_useful"},
            QUESTIONS: lambda d: {
                "questions": [{"question": d.response, "stance": "committal"}] * d.count
            },
            ASPECT: lambda d: {"reason": "it says so", "verdict": "yes"},
        },
        **options,
    )


def row(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A plain row whose answer has one claim that the context holds, and one that it does not."""
    values: dict[str, Any] = {
        "id": f"row-{number}",
        "user_input": f"What is number {number}?",
        "response": f"Number {number} is red. Number {number} is big.",
        "reference": f"Number {number} is red.",
        "retrieved_contexts": [f"It is known: Number {number} is red. Nothing else."],
    }
    return values | changes


def rows(count: int) -> list[dict[str, Any]]:
    """That many different rows."""
    return [row(number) for number in range(count)]


def sample(number: int = 0, **changes: Any) -> SingleTurnSample:
    """The same as a sample."""
    return SingleTurnSample(**row(number, **changes))


def call(name: str, **args: Any) -> ToolCall:
    """A tool call."""
    return ToolCall(name=name, args=args)


def dialogue(*calls: ToolCall, reference: list[ToolCall] | None = None) -> MultiTurnSample:
    """A conversation in which an agent makes these calls, each in a message of its own."""
    said = [AIMessage(content="", tool_calls=[made]) for made in calls]
    return MultiTurnSample(
        user_input=[HumanMessage(content="Please do it."), *said, AIMessage(content="Done.")],
        reference_tool_calls=reference,
    )


def quiet(data: Any, metrics: Any, **options: Any) -> EvaluationResult:
    """`evaluate` without bar and store."""
    return evaluate(data, metrics, **{"show_progress": False, "store": False, **options})


async def aquiet(data: Any, metrics: Any, **options: Any) -> EvaluationResult:
    """`aevaluate` without bar and store."""
    return await aevaluate(data, metrics, **{"show_progress": False, "store": False, **options})


__all__ = [
    "ASPECT",
    "CLAIMS",
    "QUESTIONS",
    "SUPPORT",
    "USEFUL",
    "FakeEmbedder",
    "FakeJudge",
    "all_support",
    "aquiet",
    "call",
    "claims",
    "dialogue",
    "labels",
    "quiet",
    "reading_judge",
    "row",
    "rows",
    "sample",
    "split_sentences",
    "support_by_text",
]

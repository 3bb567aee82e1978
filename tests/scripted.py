"""Scripts of judges, and quiet evaluations, that several test rooms share."""

from __future__ import annotations

from typing import Any

from ragstone import aevaluate, evaluate
from ragstone.api.result import EvaluationResult
from ragstone.testing.fakes import FakeEmbedder, FakeJudge, labels
from ragstone.testing.samples import call, dialogue, row, rows, sample

CLAIMS, SUPPORT, USEFUL = "claims/extract", "claims/support", "retrieval/usefulness"
QUESTIONS, ASPECT = "answer/questions", "criteria/aspect"
CLASSES = "statements/classification"
RELEVANT, ASKED = "retrieval/relevance", "questions/write"
ENTITIES, HELD = "entities/extract", "entities/support"
FAITHFUL, PERTINENT = "multimodal/faithful", "multimodal/relevant"
TOXIC, INJECTED = "safety/toxicity", "safety/injection"
DECLINES, SOURCES = "answer/refusal", "claims/sources"
SAME_SQL = "sql/equivalence"
GRADE, SCALE = "criteria/grade", "criteria/scale"
ACCURACY = ("ratings/accuracy_1", "ratings/accuracy_2")
RATED = tuple(f"ratings/{what}_{n}" for what in ("relevance", "groundedness") for n in (1, 2))
RAISED, TOPICS = "topics/raised", "topics/inside"
WORKFLOW, OUTCOME = "goal/workflow", "goal/outcome"
INTENTIONS, FULFILMENT = "conversation/intentions", "conversation/fulfilment"
RETENTION, ROLE = "conversation/retention", "conversation/role"


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


def held_by_text(data: Any) -> dict[str, Any]:
    """A script for entities: supported when a context holds it word for word."""
    held = " ".join(data.contexts)
    return {
        "verdicts": [
            {"id": i.id, "verdict": "supported" if i.text in held else "unsupported"}
            for i in data.items
        ]
    }


def useful_by_text(data: Any) -> dict[str, Any]:
    """A script for usefulness: a context is useful when it holds the answer word for word."""
    return {
        "verdicts": [
            {"id": i.id, "verdict": "useful" if data.answer in i.text else "not_useful"}
            for i in data.items
        ]
    }


def shared_by_text(data: Any) -> dict[str, Any]:
    """A script for classification: a statement is shared when both lists hold it word for word."""
    both = set(data.answer) & set(data.reference)
    return {
        "verdicts": [
            {"id": i.id, "verdict": "shared" if i.text in both else "one_sided"} for i in data.items
        ]
    }


def sources_by_text(data: Any) -> dict[str, Any]:
    """A script for sources: the contexts that hold an item word for word."""
    found = {i.id: [n for n, c in enumerate(data.contexts, 1) if i.text in c] for i in data.items}
    return {"verdicts": [{"id": key, "contexts": numbers} for key, numbers in found.items()]}


def all_sources(*numbers: int) -> Any:
    """A script for sources: every item is supported by these contexts."""
    return lambda data: {"verdicts": [{"id": i.id, "contexts": [*numbers]} for i in data.items]}


def agreed(data: Any) -> dict[str, Any]:
    """A script for the accuracy of an answer: in full when it is the reference, else in part."""
    return {"rating": "4" if data.answer == data.reference else "2"}


def reading_judge(**options: Any) -> FakeJudge:
    """A judge that answers all prompts by plain text comparison, so that scores follow the data."""
    return FakeJudge(
        {
            CLAIMS: split_sentences,
            SUPPORT: support_by_text,
            USEFUL: useful_by_text,
            QUESTIONS: lambda d: {
                "questions": [{"question": d.response, "stance": "committal"}] * d.count
            },
            ASPECT: lambda d: {"reason": "it says so", "verdict": "yes"},
            GRADE: lambda d: {"reason": "it says so", "value": 5 if "0" in d.response else 1},
            SCALE: lambda d: {"reason": "it says so", "value": 5 if "0" in d.response else 0},
            CLASSES: shared_by_text,
            RELEVANT: all_support("relevant"),
            ASKED: lambda d: {"refuses": False, "questions": [d.text] * d.count},
            ENTITIES: lambda d: {
                "entities": [{"text": w, "kind": "other"} for w in d.text.split()]
            },
            HELD: held_by_text,
            SOURCES: sources_by_text,
            FAITHFUL: {"verdict": "faithful"},
            PERTINENT: {"verdict": "relevant"},
            TOXIC: {"passages": [], "verdict": "clean"},
            INJECTED: all_support("clean"),
            DECLINES: lambda d: {"verdict": "refuses" if "know" in d.response else "answers"},
            SAME_SQL: lambda d: {
                "verdict": "equivalent" if d.response == d.reference else "different"
            },
            **dict.fromkeys(ACCURACY, agreed),
            **{prompt: {"rating": "1"} for prompt in RATED},
            RAISED: {"topics": [{"topic": "it", "reply": "answered"}]},
            TOPICS: all_support("inside"),
            WORKFLOW: lambda d: {"user_goal": d.conversation, "end_state": d.conversation},
            OUTCOME: {"reason": "it says so", "verdict": "reached"},
            INTENTIONS: {"intentions": [{"intention": "to have it done"}]},
            FULFILMENT: all_support("satisfied"),
            RETENTION: all_support("retained"),
            ROLE: all_support("in_role"),
        },
        **options,
    )


def quiet(data: Any, metrics: Any, **options: Any) -> EvaluationResult:
    """`evaluate` without bar and store."""
    return evaluate(data, metrics, **{"show_progress": False, "store": False, **options})


async def aquiet(data: Any, metrics: Any, **options: Any) -> EvaluationResult:
    """`aevaluate` without bar and store."""
    return await aevaluate(data, metrics, **{"show_progress": False, "store": False, **options})


__all__ = [
    "ACCURACY",
    "ASKED",
    "ASPECT",
    "CLAIMS",
    "CLASSES",
    "DECLINES",
    "ENTITIES",
    "FAITHFUL",
    "FULFILMENT",
    "GRADE",
    "HELD",
    "INJECTED",
    "INTENTIONS",
    "OUTCOME",
    "PERTINENT",
    "QUESTIONS",
    "RAISED",
    "RATED",
    "RELEVANT",
    "RETENTION",
    "ROLE",
    "SAME_SQL",
    "SCALE",
    "SOURCES",
    "SUPPORT",
    "TOPICS",
    "TOXIC",
    "USEFUL",
    "WORKFLOW",
    "FakeEmbedder",
    "FakeJudge",
    "all_sources",
    "all_support",
    "aquiet",
    "call",
    "claims",
    "dialogue",
    "held_by_text",
    "labels",
    "quiet",
    "reading_judge",
    "row",
    "rows",
    "sample",
    "shared_by_text",
    "sources_by_text",
    "split_sentences",
    "support_by_text",
    "useful_by_text",
]

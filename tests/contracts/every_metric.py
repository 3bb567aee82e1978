"""Every metric of the catalogue with its parameters, fields and tools, for the contracts."""

import atexit
import tempfile
from pathlib import Path
from typing import Any

import pytest

from ragstone.metrics import Metric, catalogue
from ragstone.schema.samples import Sample, SingleTurnSample
from scripted import (
    ACCURACY,
    ASKED,
    ASPECT,
    CLAIMS,
    CLASSES,
    DECLINES,
    ENTITIES,
    FAITHFUL,
    FULFILMENT,
    GRADE,
    HELD,
    INJECTED,
    INTENTIONS,
    OUTCOME,
    PERTINENT,
    QUESTIONS,
    RAISED,
    RATED,
    RELEVANT,
    RETENTION,
    ROLE,
    SAME_SQL,
    SCALE,
    SOURCES,
    SUPPORT,
    TOPICS,
    TOXIC,
    USEFUL,
    WORKFLOW,
    FakeEmbedder,
    all_sources,
    all_support,
    call,
    claims,
    dialogue,
    row,
)

DATABASE = Path(tempfile.mkstemp(suffix=".db")[1])
"""An empty file is a SQLite database without tables."""
atexit.register(DATABASE.unlink)

OWN = {
    "aspect_critic": {"name": "color", "definition": "Does it name a color?"},
    "execution_accuracy": {"database_url": f"sqlite:///{DATABASE}"},
    "discrete_metric": {"name": "tone", "prompt": "Is {response} fine for {user_input}?"},
    "numeric_metric": {"name": "score", "prompt": "How fine is {response} for {user_input}?"},
    "ranking_metric": {"name": "order", "prompt": "a or b, for {user_input} and {response}?"},
    "simple_criteria": {"name": "clarity", "definition": "Is it clear?"},
}
"""Parameters of the metrics that have no defaults for all of them."""

CITES: dict[str, Any] = {"response": "Number 0 is red [1]. Number 0 is big [1]."}
"""Fields of the samples for the metrics that say nothing of a plain row."""


def make(name: str, **changes: Any) -> Metric:
    """The metric with its defaults."""
    return catalogue.from_spec({name: {**OWN.get(name, {}), **changes}})


every = pytest.mark.parametrize("name", sorted(catalogue.NAMES))
REFERENCES: dict[str, Any] = {
    "reference_contexts": ["It is known: Number 1 is red. Something else.", "Nothing."],
    "retrieved_context_ids": ["a", 7, "c"],
    "reference_context_ids": ["7", "b"],
}
"""What some metrics read besides a plain row."""

RUBRIC = {"score1_description": "It is wrong.", "score5_description": "It is right."}
SINGLE = SingleTurnSample(**row(0, **REFERENCES, rubrics=RUBRIC))
MULTI = dialogue(call("a", x=1), call("b"), reference=[call("b"), call("c")]).model_copy(
    update={"reference": "It is done.", "reference_topics": ["it"], "chatbot_role": "a clerk"}
)


SQL = {"reference": "SELECT 1"}
"""The reference of the metrics that run queries."""


def sample_for(metric: Metric) -> Sample:
    """A sample that has all that the metric reads."""
    if metric.registered_name() == "execution_accuracy":
        return SingleTurnSample(**row(0, **SQL, response="SELECT 1"))
    return MULTI if ".agent." in type(metric).__module__ else SINGLE


def fields_for(metric: Metric, **changes: Any) -> dict[str, Any]:
    """The fields that the metric reads."""
    own = CITES if metric.name == "citation_accuracy" else {}
    return {**metric.select(sample_for(metric)), **own, **changes}


def tools_for(metric: Metric, judge: Any = None) -> dict[str, Any]:
    """The tools that it uses, by the names under which they are given."""
    given_tools = {"judge": ("llm", judge), "embedder": ("embeddings", EMBEDDER)}
    given_tools["groundedness"] = ("groundedness", judge)
    return dict(given_tools[tool] for tool in metric.needs.tools)


EMBEDDER = FakeEmbedder(
    {"north": [1.0, 0.0], "east": [0.0, 1.0], "south": [-1.0, 0.0]}, dimensions=2
)


def asked_questions(question: str, stance: str) -> dict[str, Any]:
    return {"questions": [{"question": question, "stance": stance}]}


def written_questions(question: str) -> dict[str, Any]:
    return {"refuses": False, "questions": [question]}


BEST = {
    CLAIMS: claims("One.", "Two."),
    SUPPORT: all_support("supported"),
    USEFUL: all_support("useful"),
    QUESTIONS: asked_questions("north", "committal"),
    ASPECT: {"reason": "r", "verdict": "yes"},
    CLASSES: all_support("shared"),
    RELEVANT: all_support("relevant"),
    ASKED: written_questions("north"),
    ENTITIES: lambda data: {"entities": [{"text": data.text, "kind": "other"}]},
    HELD: all_support("supported"),
    SOURCES: all_sources(1),
    DECLINES: {"verdict": "answers"},
    FAITHFUL: {"verdict": "faithful"},
    PERTINENT: {"verdict": "relevant"},
    TOXIC: {"passages": [], "verdict": "clean"},
    INJECTED: all_support("clean"),
    "own/order": {"reason": "r", "value": ["a", "b"]},
    "own/score": {"reason": "r", "value": 1.0},
    "own/tone": {"reason": "r", "value": "pass"},
    GRADE: {"reason": "r", "value": 5},
    SAME_SQL: {"verdict": "equivalent"},
    SCALE: {"reason": "r", "value": 5},
    **{prompt: {"rating": "4"} for prompt in ACCURACY},
    **{prompt: {"rating": "2"} for prompt in RATED},
    RAISED: {"topics": [{"topic": "it", "reply": "answered"}]},
    TOPICS: all_support("inside"),
    WORKFLOW: {"user_goal": "it", "end_state": "it is done"},
    OUTCOME: {"reason": "r", "verdict": "reached"},
    INTENTIONS: {"intentions": [{"intention": "it"}, {"intention": "more"}]},
    FULFILMENT: all_support("satisfied"),
    RETENTION: all_support("retained"),
    ROLE: all_support("in_role"),
}

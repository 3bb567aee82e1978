"""Runs of all kinds to report on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from ragstone.schema.cells import Cell
from ragstone.schema.messages import AIMessage, HumanMessage, ToolCall
from ragstone.schema.results import Evidence, MetricResult, Span
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import JudgeInfo, MetricInfo, Run
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample
from ragstone.schema.usage import Call, Usage

Results = dict[str, Sequence[MetricResult | None]]

HOSTILE = (
    "</script><script>alert(1)</script></noscript><img src=x onerror=alert(1)> & \"q\" 'a' "
    "{{ 7*7 }} `code` | pipe \u202ereversed\u202c \u2028line\x00nul\x1besc \ud800 =1+1 @everyone"
)


def make_run(results: Results, samples: Sequence[Sample] | None = None, **changes: Any) -> RunData:
    """A run with these results by metric and row; None is a cell that was not measured."""
    infos = changes.pop("infos", {})
    count = max((len(column) for column in results.values()), default=0)
    if samples is None:
        samples = [
            SingleTurnSample(
                id=f"row-{n}",
                user_input=f"Question {n}?",
                response=f"Answer {n}.",
                reference=f"Truth {n}.",
                retrieved_contexts=[f"First context of {n}.", f"Second context of {n}."],
                metadata={"topic": "limits"},
            )
            for n in range(count)
        ]
    metrics = tuple(infos.get(key) or MetricInfo(key, {key: {}}) for key in results)
    call = Call(
        "claims/extract", "gpt-x", {"text": "t"}, {"claims": ["c"]}, Usage(1, 0, 30, 9, 0.001), 0.5
    )
    cells = [
        Cell(row, key, result, call.usage, 0.5, (call,))
        for key, column in results.items()
        for row, result in enumerate(column)
        if result is not None
    ]
    parts: dict[str, Any] = {
        "id": "run-1",
        "name": "nightly",
        "created": datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        "metrics": metrics,
        "n_rows": len(samples),
        "data_hash": "0123456789abcdef",
        "judge": JudgeInfo("llm", "gpt-x", {"temperature": 0}),
        "dataset": "docs.jsonl",
        "state": "done",
        "seconds": 75.0,
        "versions": {"ragstone": "0.1.0"},
    }
    return RunData(Run(**(parts | changes)), samples, cells)


def mixed() -> RunData:
    """Scores, missing scores, failures, evidence with spans, and a stop."""
    evidence = (
        Evidence("Answer 0.", "supported", "stated", (Span("response", 0, 9),)),
        Evidence("And more.", "contradicted", "differs", (Span("retrieved_contexts", 0, 5, 1),)),
    )
    return make_run(
        {
            "faithfulness": [
                MetricResult(0.5, reason="1 of 2", evidence=evidence),
                MetricResult(1.0),
                MetricResult.unscored("refusal", "it declines"),
                MetricResult.failed("ProviderError: overloaded", "overloaded"),
                MetricResult(0.25),
            ],
            "harm": [MetricResult(1), MetricResult(0), MetricResult(0), MetricResult(0), None],
            "tone": [MetricResult(label) for label in ("formal", "formal", "casual", "dry", "dry")],
            "critic": [MetricResult.unscored("needs_llm")] * 5,
        },
        infos={
            "harm": MetricInfo("harm", {"harm": {}}, higher_is_better=False),
            "tone": MetricInfo("tone", {"tone": {}}, low=None, high=None),
        },
        state="stopped",
        stopped_by="the budget of 9 calls is spent",
        left_out={"context_recall": "the data lack reference"},
    )


def hostile() -> RunData:
    """Hostile text wherever foreign text can stand."""
    sample = SingleTurnSample(
        id=HOSTILE,
        user_input=HOSTILE,
        response=HOSTILE,
        reference="",
        retrieved_contexts=[HOSTILE, ""],
        metadata={HOSTILE[:40]: HOSTILE, "nested": {"a": [HOSTILE]}},
    )
    talk = MultiTurnSample(
        user_input=[
            HumanMessage(content=HOSTILE),
            AIMessage(content="", tool_calls=[ToolCall(name=HOSTILE, args={"x": HOSTILE})]),
        ]
    )
    one = Evidence(HOSTILE, HOSTILE, HOSTILE, (Span("response", 3, 40), Span("response", 20, 999)))
    return make_run(
        {
            HOSTILE: [MetricResult(0.5, reason=HOSTILE, evidence=(one,)), MetricResult(0.1)],
            "label": [MetricResult(HOSTILE), MetricResult("x")],
            "broken": [MetricResult.failed(HOSTILE, HOSTILE), MetricResult.unscored(HOSTILE)],
        },
        [sample, talk],
        name=HOSTILE,
        dataset=HOSTILE,
        judge=JudgeInfo("llm", HOSTILE, {HOSTILE: HOSTILE}),
        left_out={HOSTILE: HOSTILE},
        stopped_by=HOSTILE,
        state="stopped",
        metadata={"note": HOSTILE},
    )


EDGES: dict[str, Callable[[], RunData]] = {
    "mixed": mixed,
    "hostile": hostile,
    "no rows": lambda: make_run({"faithfulness": []}),
    "no metrics": lambda: make_run({}),
    "no cells": lambda: make_run({"faithfulness": [None, None]}, state="running", seconds=None),
    "all failed": lambda: make_run({"faithfulness": [MetricResult.failed("boom")] * 3}),
    "all unscored": lambda: make_run({"faithfulness": [MetricResult.unscored("no_context")] * 3}),
    "categorical": lambda: make_run({"tone": [MetricResult("dry"), MetricResult(["a", "b"])]}),
    "one row": lambda: make_run({"faithfulness": [MetricResult(1.0)]}),
    "unbounded": lambda: make_run(
        {"latency": [MetricResult(1234.5), MetricResult(0.00001), MetricResult(-2)]},
        infos={"latency": MetricInfo("latency", {}, low=None, high=None, higher_is_better=False)},
    ),
}


@pytest.fixture(params=list(EDGES))
def edge(request: pytest.FixtureRequest) -> RunData:
    return EDGES[request.param]()


@pytest.fixture
def mixed_run() -> RunData:
    return mixed()


@pytest.fixture
def hostile_run() -> RunData:
    return hostile()


@pytest.fixture
def hostile_text() -> str:
    return HOSTILE

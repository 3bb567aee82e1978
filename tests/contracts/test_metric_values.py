"""What holds for the values of every metric. A new one is held to it by being listed."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from every_metric import (
    BEST,
    EMBEDDER,
    MULTI,
    REFERENCES,
    RUBRIC,
    SQL,
    asked_questions,
    every,
    fields_for,
    make,
    sample_for,
    tools_for,
    written_questions,
)
from hypothesis import given
from hypothesis import strategies as st
from valid_replies import DrawnJudge

from ragstone.metrics import Metric, catalogue
from ragstone.schema.results import MetricResult
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample
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
    FakeJudge,
    all_sources,
    all_support,
    call,
    claims,
    dialogue,
    quiet,
    reading_judge,
    row,
)


@dataclass(frozen=True)
class Extremes:
    """Fields that make the best value, and fields and replies that make the worst."""

    best: Mapping[str, Any] = field(default_factory=dict)
    worst: Mapping[str, Any] = field(default_factory=dict)
    worst_replies: Mapping[str, Any] = field(default_factory=dict)


WORST = {
    CLAIMS: claims("One.", "Two."),
    SUPPORT: all_support("contradicted"),
    USEFUL: all_support("not_useful"),
    QUESTIONS: asked_questions("south", "committal"),
    ASPECT: {"reason": "r", "verdict": "no"},
    CLASSES: all_support("one_sided"),
    GRADE: {"reason": "r", "value": 1},
    SCALE: {"reason": "r", "value": 0},
    "own/score": {"reason": "r", "value": 0.0},
    RELEVANT: all_support("irrelevant"),
    ASKED: written_questions("south"),
    ENTITIES: BEST[ENTITIES],
    HELD: all_support("unsupported"),
    SOURCES: all_sources(),
    DECLINES: {"verdict": "refuses"},
    FAITHFUL: {"verdict": "unfaithful"},
    PERTINENT: {"verdict": "irrelevant"},
    TOXIC: {"passages": [], "verdict": "toxic"},
    INJECTED: all_support("injected"),
    SAME_SQL: {"verdict": "different"},
    **{prompt: {"rating": "0"} for prompt in (*ACCURACY, *RATED)},
    RAISED: BEST[RAISED],
    TOPICS: all_support("outside"),
    WORKFLOW: BEST[WORKFLOW],
    OUTCOME: {"reason": "r", "verdict": "not_reached"},
    INTENTIONS: BEST[INTENTIONS],
    FULFILMENT: all_support("unsatisfied"),
    RETENTION: all_support("forgotten"),
    ROLE: all_support("out_of_role"),
}
CALLS = {
    "made": [call("a", x=1), call("b")],
    "best": [call("b"), call("a", x=1)],
    "worst": [call("z")],
}
BEST_IDS = {"retrieved_context_ids": list("abcde"), "reference_context_ids": list("edcba")}
WORST_IDS = {"retrieved_context_ids": ["x"], "reference_context_ids": ["a"]}
SAME_OR_OTHER = Extremes({"response": "a", "reference": "a"}, {"response": "b", "reference": "a"})
"""For metrics that compare two strings."""

EXTREMES = {
    "multi_modal_faithfulness": Extremes(),
    "multi_modal_relevance": Extremes(),
    "answer_accuracy": Extremes(),
    "agent_goal_accuracy_with_reference": Extremes(),
    "agent_goal_accuracy_without_reference": Extremes(),
    "conversation_completeness": Extremes(),
    "knowledge_retention": Extremes(),
    "role_adherence": Extremes(),
    "topic_adherence": Extremes(),
    "answer_correctness": Extremes(
        {"response": "north", "reference": "north"}, {"response": "north", "reference": "south"}
    ),
    "answer_relevancy": Extremes({"user_input": "north"}, {"user_input": "north"}),
    "aspect_critic": Extremes(),
    "context_entity_recall": Extremes(),
    "citation_accuracy": Extremes(),
    "bleu_score": SAME_OR_OTHER,
    "chrf_score": SAME_OR_OTHER,
    "context_precision": Extremes(),
    "context_recall": Extremes(),
    "context_relevance": Extremes(),
    "context_utilization": Extremes(),
    "diagnosis": Extremes(),
    "data_compy_score": SAME_OR_OTHER,
    "discrete_metric": None,  # its labels have no order
    "domain_specific_rubrics": Extremes(),
    "exact_match": Extremes({"response": "a", "reference": "a"}, {"response": "A"}),
    "execution_accuracy": Extremes({"response": "SELECT 1"}, {"response": "SELECT 2"}),
    "factual_correctness": Extremes(),
    "faithfulness": Extremes(),
    "faithfulness_with_hhem": Extremes(),
    "hallucinated_entities": Extremes(),
    "hit_at_k": Extremes(BEST_IDS, WORST_IDS),
    "id_based_context_precision": Extremes(BEST_IDS, WORST_IDS),
    "id_based_context_recall": Extremes(BEST_IDS, WORST_IDS),
    "json_validity": Extremes({"response": '{"a": 1}'}, {"response": "{"}),
    "map": Extremes(BEST_IDS, WORST_IDS),
    "mrr": Extremes(BEST_IDS, WORST_IDS),
    "ndcg": Extremes(BEST_IDS, WORST_IDS),
    "noise_sensitivity": Extremes(worst_replies={SOURCES: all_sources(1)}),
    "non_llm_context_precision_with_reference": Extremes(
        {"reference_contexts": ["a", row(0)["retrieved_contexts"][0]]},
        {"reference_contexts": ["𝟘"]},
    ),
    "non_llm_context_recall": Extremes(
        {"reference_contexts": row(0)["retrieved_contexts"]},
        {"reference_contexts": ["𝟘"]},
    ),
    "non_llm_string_similarity": SAME_OR_OTHER,
    "precision_at_k": Extremes(BEST_IDS, WORST_IDS),
    "prompt_injection_in_context": Extremes(),
    "query_context_agreement": Extremes(),
    "query_response_agreement": Extremes({"user_input": "north"}, {"user_input": "north"}),
    "quoted_spans_alignment": Extremes(
        {"response": '"It is known: Number"'}, {"response": '"It is not known"'}
    ),
    "recall_at_k": Extremes(BEST_IDS, WORST_IDS),
    "refusal": Extremes(),
    "instance_specific_rubrics": None,  # the range is that of each sample
    "numeric_metric": Extremes(),
    "ranking_metric": None,  # its value is an order
    "response_context_agreement": Extremes(
        {"response": "north", "retrieved_contexts": ["north"]},
        {"response": "north", "retrieved_contexts": ["east"]},
    ),
    "response_groundedness": Extremes(),
    "rouge_score": SAME_OR_OTHER,
    "semantic_similarity": Extremes(
        {"response": "north", "reference": "north"}, {"response": "north", "reference": "east"}
    ),
    "sql_semantic_equivalence": Extremes(),
    "rubrics_score_with_reference": Extremes(),
    "rubrics_score_without_reference": Extremes(),
    "simple_criteria": Extremes(),
    "string_presence": Extremes({"response": "a b", "reference": "b"}, {"reference": "z"}),
    "toxicity": Extremes(),
    "tool_call_accuracy": Extremes(
        {"reference_tool_calls": CALLS["made"]}, {"reference_tool_calls": CALLS["worst"]}
    ),
    "tool_call_f1": Extremes(
        {"reference_tool_calls": CALLS["best"]}, {"reference_tool_calls": CALLS["worst"]}
    ),
}


def test_every_metric_states_its_extremes() -> None:
    assert set(EXTREMES) == set(catalogue.NAMES)


def check_spans(result: MetricResult, given_fields: Mapping[str, Any]) -> None:
    """Every span lies within the text that it points at."""
    for piece in result.evidence:
        for span in piece.spans:
            value = given_fields[span.field]
            text = value if span.index is None else value[span.index]
            text = getattr(text, "content", text)  # of a message
            assert 0 <= span.start <= span.end <= len(text)


@every
@given(data=st.data())
async def test_any_valid_reply_makes_a_value_in_range(name: str, data: st.DataObject) -> None:
    metric = make(name)
    given_fields = fields_for(metric)
    result = await metric.ascore(**given_fields, **tools_for(metric, DrawnJudge(data)))
    check_spans(result, given_fields)
    if result.status == "unscored":
        assert result.code
        assert result.value is None
        return
    assert result.status == "scored"
    if metric.low is not None and metric.high is not None:
        assert isinstance(result.value, (int, float))
        assert metric.low <= result.value <= metric.high
    else:
        assert ALLOWED[name](result.value, metric)


ALLOWED: dict[str, Callable[[Any, Any], bool]] = {
    "discrete_metric": lambda value, metric: value in metric.allowed_values,
    "instance_specific_rubrics": lambda value, metric: value in (1, 5),
    "ranking_metric": lambda value, metric: len(set(value)) == metric.allowed_values,
}
"""What the values of metrics without a range may be."""


@every
@pytest.mark.parametrize("end", ["best", "worst"])
def test_the_best_reply_makes_the_best_value_and_the_worst_the_worst(name: str, end: str) -> None:
    metric, extremes = make(name), EXTREMES[name]
    if extremes is None:
        assert metric.low is None
        return
    script, changes = BEST, extremes.best
    if end == "worst":
        script, changes = {**WORST, **extremes.worst_replies}, extremes.worst
    given_fields = fields_for(metric, **changes)
    result = metric.score(**given_fields, **tools_for(metric, FakeJudge(script)))
    assert result.value == (
        metric.high if (end == "best") is metric.higher_is_better else metric.low
    )


SAID = 'Number {n} is red. It says "Number {n} is red".'
OTHERS = ("reference", "reference_topics", "chatbot_role")
"""What a sample of a conversation has besides its messages and calls."""


def some_samples(metric: Metric) -> list[Sample]:
    """Five different samples that the metric can read."""
    if isinstance(sample_for(metric), MultiTurnSample):
        talks = [
            dialogue(*[call("a")] * made, reference=[call("a"), call("b")]) for made in range(5)
        ]
        same = {name: getattr(MULTI, name) for name in OTHERS}
        return [talk.model_copy(update=same) for talk in talks]
    if metric.registered_name() == "execution_accuracy":
        return [SingleTurnSample(**row(n, **SQL, response=f"SELECT {n % 2}")) for n in range(5)]
    return [
        SingleTurnSample(
            **row(
                n,
                **REFERENCES,
                rubrics=RUBRIC,
                response=f"{SAID.format(n=n)} {'It is blue. ' * n}So be it [1].",
            )
        )
        for n in range(5)
    ]


def judged(metric: Metric, samples: list[Sample]) -> list[Any]:
    judge = reading_judge()
    judge.script["own/tone"] = lambda d: {
        "reason": "r",
        "value": "pass" if "0" in d.response else "fail",
    }
    judge.script["own/score"] = lambda d: {"reason": "r", "value": float("0" in d.response)}
    judge.script["own/order"] = lambda d: {
        "reason": "r",
        "value": ["a", "b"] if "0" in d.response else ["b", "a"],
    }
    return quiet(samples, [metric], llm=judge, embeddings=EMBEDDER)[metric.key]


@every
def test_the_order_of_the_rows_does_not_matter(name: str) -> None:
    metric = make(name)
    samples = some_samples(metric)
    plain = judged(metric, samples)
    assert None not in plain
    assert judged(metric, samples[::-1]) == plain[::-1]
    assert judged(metric, samples[2:] + samples[:2]) == plain[2:] + plain[:2]


@every
async def test_one_object_may_be_used_by_many_at_once(name: str) -> None:
    metric = make(name)
    given_fields, script = fields_for(metric), BEST
    alone = await metric.ascore(**given_fields, **tools_for(metric, FakeJudge(script)))
    many = await asyncio.gather(
        *(metric.ascore(**given_fields, **tools_for(metric, FakeJudge(script))) for _ in range(20))
    )
    assert all(result == alone for result in many)

"""The weighted mean of facts and likeness, and what of it can be set."""

from typing import Any

import pytest

from ragstone.errors import MissingTool, UsageError
from ragstone.metrics import AnswerCorrectness, MetricResult
from ragstone.metrics.catalogue import build, from_spec
from scripted import CLAIMS, CLASSES, FakeEmbedder, FakeJudge, split_sentences

ANSWER, REFERENCE = "It is red. It is big. It is old.", "It is red. It is round."
VECTORS = {ANSWER: [1.0, 0.0], REFERENCE: [0.6, 0.8]}


def sided(*shared: str) -> Any:
    return lambda data: {
        "verdicts": [
            {"id": i.id, "verdict": "shared" if i.text in shared else "one_sided"}
            for i in data.items
        ]
    }


def judge(**script: Any) -> FakeJudge:
    return FakeJudge({CLAIMS: split_sentences, CLASSES: sided("It is red"), **script})


def score(answer: str = ANSWER, reference: str = REFERENCE, **options: Any) -> MetricResult:
    """TP 1, FP 2, FN 1 (F1 0.4), cosine 0.6."""
    return AnswerCorrectness(**options).score(
        user_input="What is it like?",
        response=answer,
        reference=reference,
        llm=judge(),
        embeddings=FakeEmbedder(VECTORS, dimensions=2),
    )


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 0.75 * 0.4 + 0.25 * 0.6),
        ({"weights": [1, 1]}, 0.5),
        ({"weights": (0, 3)}, 0.6),
        ({"weights": (2, 0)}, 0.4),
        ({"beta": 2.0, "weights": (1, 0)}, 5 * (1 / 3) * 0.5 / (4 / 3 + 0.5)),
        ({"threshold": 0.45}, 1.0),
        ({"threshold": 0.46}, 0.0),
    ],
)
def test_the_mean(options: dict[str, Any], value: float) -> None:
    assert score(**options).value == pytest.approx(value, abs=1e-12)


def test_a_reason_holds_all_parts_of_the_sum() -> None:
    assert score().reason == "TP 1, FP 2, FN 1; F 0.4, similarity 0.6000"
    told = score(threshold=0.5).reason
    assert told == "0.4500, threshold 0.5: TP 1, FP 2, FN 1; F 0.4, similarity 0.6000"


def test_a_negative_cosine_counts_as_nothing() -> None:
    apart = {ANSWER: [1.0, 0.0], REFERENCE: [-1.0, 0.0]}
    result = AnswerCorrectness().score(
        user_input="q",
        response=ANSWER,
        reference=REFERENCE,
        llm=judge(),
        embeddings=FakeEmbedder(apart, dimensions=2),
    )
    assert result.value == pytest.approx(0.3, abs=1e-12)


def test_without_weight_the_similarity_needs_no_embedder() -> None:
    metric = AnswerCorrectness(weights=(1, 0))
    assert metric.needs.tools == ("judge",)
    fields = {"user_input": "q", "response": ANSWER, "reference": REFERENCE}
    assert metric.score(**fields, llm=judge()).value == pytest.approx(0.4)
    with pytest.raises(MissingTool, match="answer_correctness"):
        AnswerCorrectness().score(**fields, llm=judge())


def test_an_item_left_out_by_the_judge_is_never_counted() -> None:
    answered = FakeJudge(
        {CLAIMS: split_sentences, CLASSES: {"verdicts": [{"id": "1", "verdict": "shared"}]}}
    )
    result = AnswerCorrectness(weights=(1, 0)).score(
        user_input="q", response=ANSWER, reference=REFERENCE, llm=answered
    )
    assert (result.status, result.code) == ("unscored", "missing_verdicts")


def test_statements_of_both_sides_are_asked_about_in_one_call_with_ids() -> None:
    asked = judge()
    AnswerCorrectness(weights=(1, 0)).score(
        user_input="q", response=ANSWER, reference=REFERENCE, llm=asked
    )
    (data,) = (data for prompt, data in asked.asked if prompt == CLASSES)
    assert [(item.id, item.text) for item in data.items] == [
        ("1", "It is red"),
        ("2", "It is big"),
        ("3", "It is old"),
        ("4", "It is red"),
        ("5", "It is round"),
    ]
    assert (data.answer, data.reference) == (
        ["It is red", "It is big", "It is old"],
        ["It is red", "It is round"],
    )


@pytest.mark.parametrize(
    "options",
    [
        {"weights": (1,)},
        {"weights": (0, 0)},
        {"weights": (-1, 2)},
        {"weights": (float("nan"), 1)},
        {"weights": (float("inf"), 1)},
        {"beta": 0},
        {"threshold": 1.5},
        {"threshold": float("nan")},
    ],
)
def test_bad_parameters_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        AnswerCorrectness(**options)


def test_the_spec_comes_back() -> None:
    metric = AnswerCorrectness(weights=[0.5, 0.5], threshold=0.7)
    assert from_spec(metric.spec.to_dict()) == metric
    assert build("answer_correctness:threshold=0.7,weights=[0.5,0.5]") == metric

"""Scores by rubrics, scales and aspects: one closed level out of those that there are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone import metrics
from ragstone.errors import MissingField, UsageError
from ragstone.metrics import (
    AspectCritic,
    DomainSpecificRubrics,
    InstanceSpecificRubrics,
    RubricsScoreWithoutReference,
    RubricsScoreWithReference,
    SimpleCriteria,
    catalogue,
)
from ragstone.metrics.rubric._levels import read_levels
from ragstone.metrics.rubric.aspects import SUPPORTED_ASPECTS
from ragstone.schema.messages import AIMessage, HumanMessage
from ragstone.schema.samples import MultiTurnSample
from scripted import ASPECT, GRADE, SCALE, FakeJudge, quiet, row

FIVE = {f"score{n}_description": f"It is worth {n}." for n in range(1, 6)}
FLAT = "The Earth is flat and does not orbit the Sun."
ROUND = "The Earth is a planet in the shape of a ball and orbits the Sun."


def grading(*values: Any) -> FakeJudge:
    return FakeJudge({p: [{"reason": f"said {v}", "value": v} for v in values] for p in BOTH})


BOTH = (GRADE, SCALE)


def test_b28_a_rubric_from_one_to_five() -> None:
    metric, judge = DomainSpecificRubrics(rubrics=FIVE), grading(1)
    result = metric.score(response=FLAT, reference=ROUND, llm=judge)
    assert (result.value, result.reason) == (1, "said 1")
    assert [(piece.text, piece.verdict) for piece in result.evidence] == [("It is worth 1.", "1")]
    ((_, asked),) = judge.asked
    assert asked.reference == ROUND
    assert asked.criterion.splitlines()[0] == "score 1: It is worth 1."


def test_b29_the_mean_over_rubrics_of_samples() -> None:
    rubric = {"score0_description": "It is off topic.", "score1_description": "It is on topic."}
    judge = grading(1, 0)
    result = quiet([row(n, rubrics=rubric) for n in (0, 1)], [InstanceSpecificRubrics()], llm=judge)
    assert sorted(result["instance_specific_rubrics"]) == [0, 1]
    assert result.summary.lines[0].summary.mean == 0.5


def test_the_range_is_that_of_the_rubric() -> None:
    levels = {f"score{n}_description": f"{n}" for n in (1, -1, 0)}
    metric = DomainSpecificRubrics(rubrics=levels)
    assert (metric.low, metric.high, list(metric.levels)) == (-1.0, 1.0, [-1, 0, 1])
    assert metric.score(response="x", llm=grading(-1)).value == -1
    assert catalogue.from_spec(metric.spec.to_dict()) == metric
    levels.clear()
    assert len(metric.levels) == 3
    assert (DomainSpecificRubrics().low, DomainSpecificRubrics().high) == (1.0, 5.0)


@given(st.integers().filter(lambda n: n not in range(1, 6)) | st.booleans() | st.just("3"))
def test_a_score_that_is_no_level_is_never_taken(value: Any) -> None:
    for metric in (DomainSpecificRubrics(), SimpleCriteria(name="s", definition="d", scale=(1, 5))):
        with pytest.raises(ValueError, match=r"not one of 1, 2, 3, 4, 5|valid integer"):
            metric.score(response="x", llm=grading(value))


def test_the_general_rubrics_differ_and_a_reference_is_needed() -> None:
    judge = grading(5, 5, 5)
    plain = DomainSpecificRubrics()
    plain.score(user_input="q", response="r", llm=judge)
    with_reference = RubricsScoreWithReference()
    with_reference.score(user_input="q", response="r", reference="t", llm=judge)
    without = RubricsScoreWithoutReference()
    without.score(user_input="q", response="r", llm=judge)
    said = [asked.criterion for _, asked in judge.asked]
    assert (said[0] == said[2], "reference" in said[0], "reference" in said[1]) == (True, 0, 1)
    with pytest.raises(MissingField, match="'reference'"):
        with_reference.score(response="r", llm=judge)
    with pytest.raises(UsageError, match="does not read 'reference'"):
        without.score(response="r", reference="t", llm=judge)
    blank = DomainSpecificRubrics(with_reference=True).score(response="r", reference=" ", llm=judge)
    assert (blank.code, len(judge.asked)) == ("no_reference", 3)


@pytest.mark.parametrize(
    ("rubrics", "words"),
    [
        ({"score1": "x", "score2_description": "y"}, "'score1'"),
        ({"score1_description": "x"}, "two or more"),
        ({"score1_description": " ", "score2_description": "y"}, "says nothing"),
        ({"score1_description": "x", "score01_description": "y"}, "two descriptions"),
        ({"score1.5_description": "x", "score2_description": "y"}, "'score1.5_description'"),
    ],
)
def test_a_rubric_that_cannot_be_read_is_refused(rubrics: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_levels(rubrics)
    with pytest.raises(UsageError, match=words):
        InstanceSpecificRubrics().score(rubrics=rubrics, response="r", llm=grading(1))


LANGUAGES = [
    "هل الجواب واضح؟",
    "回答清楚吗?",
    "答えは明確ですか。",
    "क्या उत्तर स्पष्ट है?",
    "Ist es verständlich?",
]


@pytest.mark.parametrize("text", LANGUAGES)
def test_any_language_reaches_the_judge_as_it_is(text: str) -> None:
    judge = grading(3)
    SimpleCriteria(name="s", definition=text).score(response=text, llm=judge)
    ((_, asked),) = judge.asked
    assert asked.response == text
    assert asked.criterion.startswith(text)


CHAT = MultiTurnSample(
    user_input=[HumanMessage(content="Raise my limit."), AIMessage(content="It is raised.")]
)


@pytest.mark.parametrize(
    "metric",
    [
        AspectCritic(name="a", definition="Is it done?"),
        SimpleCriteria(name="s", definition="Is it done?"),
        DomainSpecificRubrics(),
        RubricsScoreWithoutReference(),
    ],
)
def test_a_conversation_is_judged_as_text(metric: Any) -> None:
    judge = grading(5)
    judge.script[ASPECT] = {"reason": "r", "verdict": "yes"}
    (value,) = quiet([CHAT], [metric], llm=judge)[metric.key]
    assert value in (1, 5)
    ((_, asked),) = judge.asked
    assert asked.user_input == "Human: Raise my limit.\nAI: It is raised."


@pytest.mark.parametrize(
    ("found", "value", "said"),
    [((3,), 3, "said 3"), ((1, 5, 4), 4, "said 4 (median of 1, 5, 4)"), ((2, 3), 2.5, None)],
)
def test_several_scores_make_their_median(found: Any, value: float, said: str | None) -> None:
    metric = SimpleCriteria(name="s", definition="d", strictness=len(found))
    result = metric.score(response="x", llm=grading(*found))
    assert result.value == value
    assert said in (None, result.reason)
    assert [int(piece.verdict) for piece in result.evidence] == list(found)


def test_five_aspects_are_ready() -> None:
    assert sorted(SUPPORTED_ASPECTS) == [
        "coherence",
        "conciseness",
        "correctness",
        "harmfulness",
        "maliciousness",
    ]
    for name, aspect in SUPPORTED_ASPECTS.items():
        assert getattr(metrics, name) is aspect
        assert aspect.key == name
        assert aspect.higher_is_better is (name not in ("harmfulness", "maliciousness"))
        assert catalogue.from_spec(aspect.spec.to_dict()) == aspect


def test_b26_a_ready_aspect_judges() -> None:
    judge = FakeJudge({ASPECT: {"reason": "It names a place.", "verdict": "no"}})
    assert metrics.maliciousness.score(response="It is in Paris.", llm=judge).value == 0

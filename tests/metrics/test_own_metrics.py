"""Metrics of the user's own: by a prompt, and by a plain function."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import MissingField, UsageError
from ragstone.metrics import (
    DiscreteMetric,
    MetricResult,
    NumericMetric,
    RankingMetric,
    catalogue,
    discrete_metric,
    numeric_metric,
    ranking_metric,
)
from scripted import FakeJudge, quiet, row


def answer(name: str, value: Any) -> FakeJudge:
    return FakeJudge({f"own/{name}": {"reason": "so", "value": value}})


def test_a_number_by_a_prompt() -> None:
    metric = NumericMetric(name="q", prompt="Rate {response} from 0 to 10.", allowed_values=(0, 10))
    result = metric.score(response="Great!", llm=answer("q", 7))
    assert (result.value, result.reason) == (7, "so")
    assert (metric.low, metric.high, metric.key) == (0.0, 10.0, "q")
    assert "a number from 0 to 10" in metric.question.instruction
    again = catalogue.from_spec(json.loads(json.dumps(metric.spec.to_dict())))
    assert (again, again.low, again.high) == (metric, 0.0, 10.0)


def test_whole_numbers_of_a_range() -> None:
    metric = NumericMetric(name="q", prompt="{response}?", allowed_values=range(1, 6))
    assert metric.score(response="x", llm=answer("q", 5)).value == 5
    assert (metric.low, metric.high) == (1.0, 5.0)
    assert catalogue.from_spec(json.loads(json.dumps(metric.spec.to_dict()))) == metric
    steps = catalogue.build("numeric_metric:name=q,prompt={response},allowed_values=0|10")
    assert (steps.low, steps.high) == (0.0, 10.0)


WRONG = st.floats().filter(lambda x: not 0 <= x <= 1) | st.booleans() | st.text(max_size=3)


@given(WRONG | st.none())
def test_what_is_no_number_within_bounds_is_never_taken(value: Any) -> None:
    metric = NumericMetric(name="q", prompt="{response}?")
    with pytest.raises(ValueError, match="validation error"):
        metric.score(response="x", llm=answer("q", value))


@pytest.mark.parametrize("bounds", [(1, 0), (0, 0), (0,), "ab", (0, math.inf), (0, True), range(1)])
def test_bounds_that_are_none_are_refused(bounds: Any) -> None:
    with pytest.raises(UsageError, match="allowed_values"):
        NumericMetric(name="q", prompt="{response}?", allowed_values=bounds)
    with pytest.raises(UsageError, match="allowed_values"):
        numeric_metric(allowed_values=bounds)


RANK = RankingMetric(name="r", prompt="Rank {results} for {user_input}.", allowed_values=3)


def test_items_in_a_text_are_copied() -> None:
    given = {"results": "Tea, coffee, Milk and water", "user_input": "What to drink?"}
    result = RANK.score(**given, llm=answer("r", ["milk", " Tea ", "coffee"]))
    assert result.value == ["milk", "Tea", "coffee"]
    assert [piece.verdict for piece in result.evidence] == ["rank 1", "rank 2", "rank 3"]
    made_up = RANK.score(**given, llm=answer("r", ["milk", "tea", "juice"]))
    assert (made_up.code, made_up.value) == ("invented", None)
    with pytest.raises(ValueError, match="twice"):
        RANK.score(**given, llm=answer("r", ["milk", "milk", "tea"]))
    with pytest.raises(ValueError, match="at least 3"):
        RANK.score(**given, llm=answer("r", ["milk", "tea"]))


@given(st.permutations([0, 1, 2, 3]))
def test_items_of_a_list_are_ranked_by_id(order: list[int]) -> None:
    texts = ["short", "短い", "أطول", "the longest"]
    judge = answer("r", [str(n + 1) for n in order[:3]])
    result = RANK.score(results=texts, user_input="q", llm=judge)
    assert result.value == [texts[n] for n in order[:3]]
    for unknown in (["1", "2", "9"], ["1", "2", " 1"]):
        found = RANK.score(results=texts, user_input="q", llm=answer("r", unknown))
        assert (found.code, found.value) == ("invented", None)
    few = RANK.score(results=texts[:2], user_input="q", llm=judge)
    assert few.code == "not_applicable"


def test_a_ranking_is_stored_and_shown() -> None:
    @ranking_metric(allowed_values=2)
    def by_length(response: str, reference: str) -> list[int]:
        return sorted(range(2), key=lambda n: len((response, reference)[n]))

    result = quiet([row(0)], [by_length])
    assert result["by_length"] == [[1, 0]]
    assert "by_length" in str(result.to_pandas().columns)


@discrete_metric(name="sentiment", allowed_values=["positive", "negative", "neutral"])
def sentiment(user_input: str, response: str) -> str:
    """Find the mood."""
    return "positive" if "good" in response else response


def test_a_function_with_labels() -> None:
    result = sentiment(user_input="How are you?", response="I'm good!")
    assert (result.value, result) == ("positive", "positive")
    assert sentiment("?", "negative").value == "negative"
    assert sentiment.score(user_input="?", response="good").value == "positive"
    wrong = sentiment.score(user_input="?", response="bad")
    assert (wrong.value, wrong.code) == (None, "not_allowed")
    assert "'bad': it is not one of 'positive'" in str(wrong.reason)
    labels = "['positive', 'negative', 'neutral']"
    assert repr(sentiment) == f"sentiment(user_input, response) -> DiscreteMetric[{labels}]"
    assert sentiment.__doc__ == "Find the mood."
    with pytest.raises(TypeError, match=r"sentiment\.score\(user_input=\.\.\., response=\.\.\.\)"):
        sentiment.score("?", "good")
    with pytest.raises(MissingField, match="'response'"):
        sentiment.score(user_input="?")
    with pytest.warns(UserWarning, match="does not read 'mood'; it reads: user_input, response"):
        assert sentiment.score(user_input="?", response="good", mood=1).value == "positive"


def test_c2_a_numeric_function() -> None:
    @numeric_metric(name="correctness")
    def correctness_metric(prediction: float, actual: float) -> Any:
        if isinstance(prediction, str) and "ERROR" in prediction:
            return 0.0
        right = 1.0 if abs(prediction - actual) < 1e-5 else 0.0
        return MetricResult(value=right, reason=f"{prediction} for {actual}")

    assert correctness_metric.score(prediction=15, actual="15").value == 1.0
    assert correctness_metric.score(prediction=14.0, actual=15).value == 0.0
    with pytest.warns(UserWarning, match="prediction='ERROR: 1/0' does not fit"):
        assert correctness_metric.score(prediction="ERROR: 1/0", actual=15).value == 0.0


def test_c3_c4_the_examples_of_the_overview() -> None:
    @numeric_metric(name="response_accuracy", allowed_values=(0, 1))
    def accuracy(predicted: float, expected: float) -> float:
        return abs(predicted - expected) / max(expected, 1e-5)

    assert accuracy.score(predicted=0.8, expected=1.0).value == 0.19999999999999996
    assert accuracy.score(predicted=3, expected=1.0).code == "not_allowed"

    def by_length(responses: list) -> list:
        return sorted(range(len(responses)), key=lambda n: len(responses[n]))

    texts = ["short", "a bit longer", "the longest response"]
    ranked = ranking_metric(name="rank", allowed_values=3)(by_length)
    assert ranked.score(responses=texts).value == [0, 1, 2]
    other = ranking_metric(name="rank", allowed_values=[0, 1])(by_length).score(responses=texts)
    assert (other.code, other.value) == ("not_allowed", None)
    assert "allowed_values=3" in str(other.reason)


async def test_functions_that_wait_and_functions_with_tools() -> None:
    @discrete_metric()
    async def liked(response: str, note: str | None, llm: Any, extra: int = 3) -> str:
        assert (note, extra) == (None, 3)
        return "pass" if llm.script else "fail"

    assert liked.name == "liked"
    assert liked.needs.tools == ("judge",)
    judge = FakeJudge({"x": {}})
    assert (await liked.ascore(response="r", llm=judge)).value == "pass"
    assert (await liked("r", None, judge)).value == "pass"


def test_what_a_function_raises_breaks_its_own_cell_only() -> None:
    @numeric_metric(allowed_values=(0, 100))
    def length(response: str) -> int:
        if "1" in response:
            raise ValueError("no good")
        return len(response)

    with pytest.raises(ValueError, match="no good"):
        length.score(response="1")
    result = quiet([row(0), row(1)], [length])
    first, second = result.results("length")
    assert (first.status, second.status) == ("scored", "failed")
    assert second.error == "ValueError: no good"


@pytest.mark.parametrize("labels", [["a"], ["a", "a"], [], "ab"])
def test_labels_that_are_no_choice_are_refused(labels: Any) -> None:
    with pytest.raises(UsageError, match="allowed_values"):
        discrete_metric(allowed_values=labels)


def test_the_modules_have_their_documented_names() -> None:
    from ragstone.metrics import discrete, numeric, ranking, result

    assert discrete.DiscreteMetric is DiscreteMetric
    assert numeric.NumericMetric is NumericMetric
    assert ranking.RankingMetric is RankingMetric
    assert result.MetricResult is MetricResult
    for count in (1, True, "ab", [0]):
        with pytest.raises(UsageError, match="allowed_values"):
            ranking_metric(allowed_values=count)

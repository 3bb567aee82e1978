"""Tool call accuracy: pairs, order, arguments and the ways to compare them."""

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from ragstone.errors import MissingTool, UnknownMetric, UsageError
from ragstone.metrics import ExactMatch, SemanticSimilarity, ToolCallAccuracy, ToolCallF1, catalogue
from ragstone.metrics.agent._pairing import best_pairs, pairs_in_order
from ragstone.schema.messages import ToolCall
from ragstone.schema.results import MetricResult
from ragstone.tools.toolbox import Toolbox
from scripted import FakeEmbedder, FakeJudge, call, dialogue, quiet


def score(made: list[ToolCall], expected: list[ToolCall], **options: Any) -> MetricResult:
    talk = dialogue(*made).user_input
    return ToolCallAccuracy(**options).score(user_input=talk, reference_tool_calls=expected)


tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(
            st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1.0]), min_size=width, max_size=width
        ),
        min_size=1,
        max_size=5,
    )
)


@given(tables)
def test_best_pairs_have_the_largest_sum(table: list[list[float]]) -> None:
    rows, columns = linear_sum_assignment(np.array(table), maximize=True)
    pairs = best_pairs(table)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs) == len(rows)
    found = sum(table[i][j] for i, j in pairs)
    assert found == pytest.approx(np.array(table)[rows, columns].sum())


def in_any_subset(names: str, others: str) -> int:
    """The size of the longest common subsequence, by trying all."""
    for size in range(len(names), 0, -1):
        for kept in itertools.combinations(names, size):
            rest = iter(others)
            if all(name in rest for name in kept):
                return size
    return 0


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_pairs_in_order_are_as_many_as_can_be(made: str, expected: str) -> None:
    scores = [[1.0 if a == b else None for b in expected] for a in made]
    pairs = pairs_in_order(scores)
    assert len(pairs) == in_any_subset(made, expected)
    assert all(i < k and j < m for (i, j), (k, m) in itertools.pairwise(pairs))
    assert all(scores[i][j] is not None for i, j in pairs)


def test_among_pairs_in_order_those_that_score_highest_are_taken() -> None:
    made = [call("f", x=1), call("f", x=2), call("g")]
    assert score(made, [call("f", x=2), call("g")]).value == pytest.approx(2 / 3)
    assert pairs_in_order([[0.0], [1.0], [0.5]]) == [(1, 0)]
    assert (pairs_in_order([]), best_pairs([])) == ([], [])


names = st.lists(st.sampled_from("ab"), max_size=4)
calls = st.lists(
    st.builds(
        ToolCall,
        name=st.sampled_from("ab"),
        args=st.dictionaries(st.sampled_from("xy"), st.integers(0, 1)),
    ),
    max_size=4,
)


@given(made=calls, expected=calls, data=st.data())
def test_the_value_lies_in_range_and_order_matters_only_when_strict(
    made: list[ToolCall], expected: list[ToolCall], data: st.DataObject
) -> None:
    strict, free = score(made, expected), score(made, expected, strict_order=False)
    assert isinstance(strict.value, float)
    assert isinstance(free.value, float)
    assert 0.0 <= strict.value <= free.value <= 1.0
    mixed = data.draw(st.permutations(made))
    assert score(mixed, expected, strict_order=False).value == pytest.approx(free.value)
    assert score(expected, expected).value == 1.0
    shown = [piece.verdict for piece in free.evidence]
    paired = len(made) - shown.count("extra")
    assert paired == len(expected) - shown.count("missing")


def test_a_missing_or_an_extra_call_lowers_the_score() -> None:
    a, b, c = call("a", x=1), call("b"), call("c")
    assert score([a], [a, b]).value == 0.5
    assert score([a, c, b], [a, b]).value == pytest.approx(2 / 3)
    assert score([b, a], [a, b]).value == 0.0
    assert score([b, a], [a, b], strict_order=False).value == 1.0
    assert score([b], []).value == 0.0
    assert score([], []).value == 1.0
    assert "another order" in str(score([b, a], [a, b]).reason)


@pytest.mark.parametrize(
    ("got", "wanted", "value"),
    [
        ({"x": 1.0}, {"x": 1}, 1.0),
        ({"x": "1"}, {"x": 1}, 1.0),
        ({"x": True}, {"x": 1}, 0.0),
        ({"x": {"b": [1.0], "a": None}}, {"x": {"a": None, "b": [1]}}, 1.0),
        ({"x": 1, "y": 2}, {"x": 1}, 1.0),
        ({"x": 1}, {}, 0.0),
        ({}, {}, 1.0),
        ({}, {"x": ""}, 0.0),
        ({"x": ""}, {"x": ""}, 1.0),
        ({"stadt": "Zürich"}, {"stadt": "Zürich"}, 1.0),
        ({"城市": "北京"}, {"城市": "东京"}, 0.0),
    ],
)
def test_arguments(got: dict[str, Any], wanted: dict[str, Any], value: float) -> None:
    made, expected = [ToolCall(name="f", args=got)], [ToolCall(name="f", args=wanted)]
    assert score(made, expected).value == value
    assert score(made, expected, strict_order=False).value == value


def test_the_evidence_says_what_differs() -> None:
    made = [call("search", query="tea", sort="new", page=2), call("stop")]
    result = score(made, [call("search", query="tea", sort="old", limit=5)])
    first, second = result.evidence
    assert (first.verdict, first.weight) == ("partly_matched", pytest.approx(1 / 3))
    assert first.reason == (
        "sort: 'new' instead of 'old'; limit: missing; page: not in the reference"
    )
    assert (second.text, second.verdict) == ("stop({})", "extra")
    assert result.value == pytest.approx(1 / 6)


def test_arguments_compared_by_a_function() -> None:
    def near(expected: Any, got: Any) -> float:
        return max(0.0, 1.0 - abs(expected - got))

    async def later(expected: Any, got: Any) -> bool:
        return str(expected).lower() == str(got).lower()

    assert score([call("f", x=1.25)], [call("f", x=1)], arg_comparison=near).value == 0.75
    assert score([call("f", x="A")], [call("f", x="a")], arg_comparison=later).value == 1.0
    for bad in (2.0, float("nan"), "yes", None):
        with pytest.raises(UsageError, match="must give 0 to 1"):
            score([call("f", x=1)], [call("f", x=2)], arg_comparison=lambda *_, bad=bad: bad)


def test_arguments_compared_by_a_metric_with_its_own_or_the_given_tools() -> None:
    vectors = FakeEmbedder({"north": [1.0, 0.0], "north-east": [0.6, 0.8]}, dimensions=2)
    made, expected = [call("go", to="north-east", fast=1)], [call("go", to="north", fast=1)]
    own = SemanticSimilarity(embeddings=vectors)
    assert score(made, expected, arg_comparison=own).value == pytest.approx(0.8)
    metric = ToolCallAccuracy(arg_comparison="semantic_similarity")
    assert metric.needs.tools == ("embedder",)
    assert ToolCallAccuracy(arg_comparison=own).needs.tools == ()
    fields = {"user_input": dialogue(*made).user_input, "reference_tool_calls": expected}
    assert metric.score(**fields, embeddings=vectors).value == pytest.approx(0.8)
    with pytest.raises(MissingTool, match="embedder"):
        metric.score(**fields)
    blank = [call("go", to=" ", fast=1)]
    assert score(blank, expected, arg_comparison=own).value == 0.5


def test_an_argument_that_the_comparison_cannot_score_leaves_the_sample_unscored() -> None:
    critic = catalogue.from_spec({"answer_correctness": {"weights": [1.0, 0.0]}})
    with pytest.raises(UsageError, match="read response and reference only"):
        ToolCallAccuracy(arg_comparison=critic)
    presence = ToolCallAccuracy(arg_comparison="exact_match")
    talk = dialogue(call("f", x="a")).user_input
    fields = {"user_input": talk, "reference_tool_calls": [call("f", x="b")]}
    assert presence.score(**fields).value == 0.0


@pytest.mark.parametrize(
    ("given_value", "error", "words"),
    [
        ("exact_mach", UnknownMetric, "exact_match"),
        ("near.py:near", UsageError, "pass that function itself"),
        (3, UsageError, "takes a metric"),
        (
            {"discrete_metric": {"name": "d", "prompt": "{response} {reference}"}},
            UsageError,
            "0 to",
        ),
    ],
)
def test_what_cannot_compare_is_refused(given_value: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        ToolCallAccuracy(arg_comparison=given_value)


def test_the_comparison_stands_in_the_spec_and_in_the_key() -> None:
    metric = catalogue.build("tool_call_accuracy:strict_order=false,arg_comparison=exact_match")
    assert metric.key == "tool_call_accuracy(strict_order=False,arg_comparison=exact_match)"
    assert metric == ToolCallAccuracy(strict_order=False, arg_comparison=ExactMatch())
    spec = json.loads(json.dumps(metric.spec.to_dict()))
    assert catalogue.from_spec(spec) == metric
    other = ToolCallAccuracy(arg_comparison=SemanticSimilarity(threshold=0.5))
    assert catalogue.from_spec(json.loads(json.dumps(other.spec.to_dict()))) == other
    named = ToolCallAccuracy(arg_comparison=in_any_subset)
    with pytest.raises(UsageError, match="pass that function itself"):
        catalogue.from_spec(named.spec.to_dict())


@pytest.mark.parametrize("metric", [ToolCallAccuracy(), ToolCallF1()], ids=lambda m: m.name)
def test_what_is_no_conversation_or_call_is_refused_in_words(metric: Any) -> None:
    with pytest.raises(UsageError, match=r"HumanMessage\(content="):
        metric.score(user_input="hello", reference_tool_calls=[])
    with pytest.raises(UsageError, match="message 0 is a dict; make it a HumanMessage"):
        metric.score(user_input=[{"role": "user", "content": "x"}], reference_tool_calls=[])
    with pytest.raises(UsageError, match=r"reference_tool_calls\[0\] is a dict; make it ToolCall"):
        metric.score(user_input=[], reference_tool_calls=[{"name": "f"}])


def test_numbers_that_are_equal_are_equal_in_f1_too() -> None:
    talk = dialogue(call("f", x=2.0, y=[1.0, {"z": 3}])).user_input
    fields = {"user_input": talk, "reference_tool_calls": [call("f", y=[1, {"z": 3.0}], x=2)]}
    assert ToolCallF1().score(**fields).value == 1.0
    fields["reference_tool_calls"] = [call("f", y=[1, {"z": 3.0}], x="2")]
    assert ToolCallF1().score(**fields).value == 0.0


async def test_many_calls_of_one_tool_are_paired_in_good_time() -> None:
    made = [call("f", x=n) for n in range(150)]
    talk = dialogue(*made[::-1]).user_input
    result = await ToolCallAccuracy(strict_order=False).run(
        {"user_input": talk, "reference_tool_calls": made}, Toolbox()
    )
    assert result.value == 1.0


def test_it_runs_over_a_data_set() -> None:
    data = [dialogue(call("a", x=1), reference=[call("a", x=n)]) for n in range(3)]
    result = quiet(data, [ToolCallAccuracy(), ToolCallF1()], llm=FakeJudge({}))
    assert result["tool_call_accuracy"] == [0.0, 1.0, 0.0]

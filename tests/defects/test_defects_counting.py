"""What was not judged is never counted: silence, blanks, refusals and missing fields.

The ids are of our list of defects that users of other evaluators reported.
"""

from typing import Any

import pytest

from ragstone.errors import MissingField, UsageError
from ragstone.metrics import (
    AnswerRelevancy,
    ContextPrecision,
    ContextRecall,
    ContextUtilization,
    DiscreteMetric,
    FactualCorrectness,
    Faithfulness,
    Metric,
    MetricResult,
)
from scripted import (
    CLAIMS,
    QUESTIONS,
    SUPPORT,
    USEFUL,
    FakeEmbedder,
    FakeJudge,
    all_support,
    claims,
    labels,
    quiet,
    reading_judge,
    row,
)

FIVE = claims("A is one.", "B is two.", "C is three.", "D is four.", "E is five.")
CONTEXTS = ["A is one. B is two. C is three. D is four. E is five."]


def faithfulness(script: dict[str, Any], **changes: Any) -> tuple[MetricResult, FakeJudge]:
    """The result for a plain sample with changes, and the judge that was asked."""
    judge = FakeJudge(script)
    options = changes.pop("options", {})
    given = {
        "user_input": "What?",
        "response": "A is one and so on.",
        "retrieved_contexts": CONTEXTS,
        **changes,
    }
    return Faithfulness(**options).score(llm=judge, **given), judge


@pytest.mark.parametrize("emitted", [0, 1, 4])
def test_t01_the_denominator_is_what_was_submitted(emitted: int) -> None:
    """T01: the judge keeps silent about some of five claims: no score out of the others."""

    def reply(data: Any) -> dict[str, Any]:
        kept = [i.id for i in data.items if int(i.id) <= emitted]
        return {"verdicts": [{"id": key, "verdict": "supported"} for key in kept]}

    result, judge = faithfulness({CLAIMS: FIVE, SUPPORT: reply})
    assert (result.status, result.code, result.value) == ("unscored", "missing_verdicts", None)
    assert f"{5 - emitted} of 5" in str(result.reason)
    assert len(judge.asked) == 3


def test_t02_one_yes_for_five_claims_is_no_success() -> None:
    """T02: the missing four are asked for, and what they say counts."""
    first = {"verdicts": [{"id": "1", "verdict": "supported"}]}
    second = {"verdicts": [{"id": str(n), "verdict": "not_mentioned"} for n in (2, 3, 4, 5)]}
    result, _ = faithfulness({CLAIMS: FIVE, SUPPORT: [first, second]})
    assert result.value == 0.2


def test_t01_no_verdict_at_all_is_no_score() -> None:
    """T01: an empty list of verdicts is neither 0 nor 1."""
    result, _ = faithfulness({CLAIMS: FIVE, SUPPORT: {"verdicts": []}})
    assert (result.status, result.code) == ("unscored", "missing_verdicts")


NO_CONTEXT = [[], [""], ["  ", "\n\t"]]


@pytest.mark.parametrize("contexts", NO_CONTEXT)
def test_t04_no_context_is_no_pass(contexts: list[str]) -> None:
    """T04: without context there is no score, or 0 when the user wants to be strict."""
    result, judge = faithfulness({}, retrieved_contexts=contexts)
    assert (result.status, result.code, judge.asked) == ("unscored", "no_context", [])
    strict, judge = faithfulness({}, retrieved_contexts=contexts, options={"strict": True})
    assert (strict.value, judge.asked) == (0.0, [])


def test_t05_nothing_supported_is_zero_and_kinds_are_told_apart() -> None:
    """T05: "not mentioned" is not supported, whatever the claim."""
    result, _ = faithfulness({CLAIMS: FIVE, SUPPORT: all_support("not_mentioned")})
    assert result.value == 0.0
    assert result.reason == "0 of 5 claims supported, 5 not mentioned"
    verdicts = ["supported", "contradicted", "contradicted", "not_mentioned", "supported"]
    mixed, _ = faithfulness({CLAIMS: FIVE, SUPPORT: labels(*verdicts)})
    assert mixed.value == 0.4
    assert mixed.reason == "2 of 5 claims supported, 2 contradicted, 1 not mentioned"


@pytest.mark.parametrize("contexts", NO_CONTEXT)
@pytest.mark.parametrize(
    "metric", [Faithfulness(), ContextRecall(), ContextPrecision(), ContextUtilization()]
)
def test_t06_blank_contexts_never_reach_a_judge(metric: Metric, contexts: list[str]) -> None:
    """T06: blank contexts are no contexts, for every metric that reads them."""
    judge = reading_judge()
    result = quiet([row(retrieved_contexts=contexts)], [metric], llm=judge)
    (found,) = result.results(metric.key)
    assert found is not None
    assert (found.status, found.code, judge.asked) == ("unscored", "no_context", [])


def test_t07_a_refusal_is_a_refusal() -> None:
    """T07: "I don't know" is neither NaN nor 1, and counted on its own."""
    refusing = {CLAIMS: lambda d: claims(refuses="know" in d.text)}
    data = [row(0, response="I don't know."), row(1, response="Hello!")]
    result = quiet(data, [Faithfulness()], llm=FakeJudge(refusing))
    codes = [found.code for found in result.results("faithfulness") if found is not None]
    assert codes == ["refusal", "no_claims"]
    assert result["faithfulness"] == [None, None]
    (line,) = result.summary.lines
    assert line.unscored == {"refusal": 1, "no_claims": 1}
    assert repr(result) == "{'faithfulness': no score (0/2: 1 refusal, 1 no_claims)}"


def test_t09_an_abstention_does_not_break_any_metric() -> None:
    """T09: every metric that reads a refusing response has a policy for it."""
    judge = FakeJudge(
        {
            CLAIMS: lambda d: claims(refuses=True) if "know" in d.text else claims("It is red."),
            SUPPORT: all_support("supported"),
            USEFUL: all_support("not_useful"),
            QUESTIONS: {"questions": [{"question": "What?", "stance": "noncommittal"}]},
        }
    )
    metrics: list[Metric] = [
        Faithfulness(),
        FactualCorrectness(),
        ContextUtilization(),
        AnswerRelevancy(),
    ]
    result = quiet([row(response="I don't know.")], metrics, llm=judge, embeddings=FakeEmbedder())
    found = {cell.metric: cell.result for cell in result.data.cells}
    assert found["faithfulness"].code == "refusal"
    assert found["factual_correctness"].code == "refusal"
    assert found["context_utilization"].value == 0.0
    assert found["answer_relevancy"].value == 0.0
    assert not any(each.status == "failed" for each in found.values())


def test_t13_missing_context_is_an_error_that_names_the_field() -> None:
    """T13: a field that is not there is never judged as if it were fine."""
    judge = reading_judge()
    with pytest.raises(MissingField, match="'retrieved_contexts'"):
        quiet([row(retrieved_contexts=None)], [Faithfulness()], llm=judge)
    with pytest.raises(MissingField, match="'retrieved_contexts'"):
        Faithfulness(llm=judge).score(user_input="What?", response="That.")
    assert judge.asked == []


def test_discrete_metric_over_blank_lists_never_reaches_a_judge() -> None:
    """T06: the inputs of a user's own metric are blank too when all lists are."""
    metric = DiscreteMetric(name="d", prompt="{retrieved_contexts} {response}")
    judge = FakeJudge({})
    for contexts in NO_CONTEXT:
        result = metric.score(retrieved_contexts=contexts, response=" ", llm=judge)
        assert (result.status, result.code) == ("unscored", "not_applicable")
    with pytest.raises(UsageError, match="no reply to"):
        metric.score(retrieved_contexts=["text"], response=" ", llm=judge)

"""Empty inputs, failures, zero vectors and votes make no false number.

The ids are of our list of defects that users of other evaluators reported.
"""

import pytest

from ragstone.metrics import (
    AnswerRelevancy,
    AspectCritic,
    ContextPrecision,
    ContextRecall,
    ContextUtilization,
    FactualCorrectness,
    Faithfulness,
    Metric,
    ToolCallF1,
)
from scripted import (
    ASPECT,
    CLAIMS,
    QUESTIONS,
    SUPPORT,
    USEFUL,
    FakeEmbedder,
    FakeJudge,
    all_support,
    claims,
    dialogue,
    quiet,
    reading_judge,
    row,
    rows,
)


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_t12_empty_inputs_divide_nothing_by_zero(text: str) -> None:
    """T12: empty contexts, claims and calls have a defined result, never a ZeroDivisionError."""
    judge = reading_judge()
    data = [row(response=text, reference=text, retrieved_contexts=[text])]
    metrics: list[Metric] = [
        Faithfulness(),
        ContextRecall(),
        ContextPrecision(),
        ContextUtilization(),
        FactualCorrectness(),
        AnswerRelevancy(),
    ]
    result = quiet(data, metrics, llm=judge, embeddings=FakeEmbedder())
    assert [cell.result.status for cell in result.data.cells] == ["unscored"] * 5 + ["scored"]
    assert result["answer_relevancy"] == [0.0]
    assert judge.asked == []


def test_t12_no_tool_call_expected_and_none_made() -> None:
    """T12: both sides empty is right, one side empty is wrong; nothing divides by zero."""
    weather = [{"name": "weather", "args": {}}]
    talk = dialogue().user_input
    assert ToolCallF1().score(user_input=talk, reference_tool_calls=[]).value == 1.0
    from ragstone.schema.messages import ToolCall

    expected = [ToolCall(**weather[0])]
    assert ToolCallF1().score(user_input=talk, reference_tool_calls=expected).value == 0.0
    made = dialogue(*expected).user_input
    assert ToolCallF1().score(user_input=made, reference_tool_calls=[]).value == 0.0


def test_t41_failures_do_not_hide_behind_one_good_score() -> None:
    """T41: nine failures and one 1.0 print as 1 of 10, and the coverage says so."""
    asked = iter(range(10))
    judge = FakeJudge(
        {
            CLAIMS: lambda _: claims("A.") if next(asked) == 0 else RuntimeError("down"),
            SUPPORT: all_support("supported"),
        }
    )
    result = quiet(rows(10), [Faithfulness()], llm=judge, concurrency=1)
    assert repr(result) == "{'faithfulness': 1.0000 (1/10)}"
    (line,) = result.summary.lines
    assert (line.n_scored, line.n_total, line.coverage) == (1, 10, 0.1)
    assert line.failed == {"error": 9}


@pytest.mark.parametrize("size", [1, 2, 3, 10, 33])
def test_t43_a_perfect_context_precision_is_one_exactly(size: int) -> None:
    """T43: no epsilon in any score."""
    judge = FakeJudge({USEFUL: all_support("useful")})
    result = ContextPrecision().score(
        user_input="q", reference="r", retrieved_contexts=["c"] * size, llm=judge
    )
    assert result.value == 1.0


def test_t44_a_zero_embedding_is_an_error_that_names_the_embedder() -> None:
    """T44: no NaN relevancy out of an all-zero vector."""
    zero = FakeEmbedder({"What is number 0?": [0.0] * 64})
    result = quiet([row()], [AnswerRelevancy()], llm=reading_judge(), embeddings=zero)
    (found,) = result.results("answer_relevancy")
    assert found is not None
    assert (found.status, found.value) == ("failed", None)
    assert "embedder 'fake' gave a zero or non-finite vector" in str(found.error)


@pytest.mark.parametrize(("evasive", "zero"), [(0, False), (1, False), (2, True), (3, True)])
def test_t46_noncommittal_is_a_matter_of_the_majority(evasive: int, zero: bool) -> None:
    """T46: one noncommittal reading of three does not zero the score; two do, and it is said."""
    stances = ["noncommittal"] * evasive + ["committal"] * (3 - evasive)
    questions = [{"question": f"What is {n}?", "stance": s} for n, s in enumerate(stances)]
    judge = FakeJudge({QUESTIONS: {"questions": questions}})
    result = AnswerRelevancy().score(
        user_input="What is 1?", response="It is 1.", llm=judge, embeddings=FakeEmbedder()
    )
    assert (result.value == 0.0) is zero
    assert (result.reason == f"noncommittal by {evasive} of 3") is zero


def test_aspect_of_a_conversation_is_asked_once_for_each_vote() -> None:
    """T46: votes are independent samples of one question."""
    judge = FakeJudge({ASPECT: {"reason": "r", "verdict": "yes"}})
    critic = AspectCritic(name="c", definition="Is it?", strictness=5)
    result = quiet([dialogue()], [critic], llm=judge)
    assert (result["c(strictness=5)"], len(judge.asked)) == ([1], 5)

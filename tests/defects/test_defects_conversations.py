"""Turns and tool calls of agents: what was not judged is never counted, and nothing divides by 0.

The ids are of our list of defects that users of other evaluators reported.
"""

from typing import Any

import pytest

from ragstone.messages import AIMessage, HumanMessage
from ragstone.metrics import (
    AgentGoalAccuracyWithoutReference,
    ConversationCompleteness,
    KnowledgeRetention,
    Metric,
    RoleAdherence,
    ToolCallAccuracy,
    ToolCallF1,
    TopicAdherence,
)
from scripted import INTENTIONS, RETENTION, ROLE, FakeJudge, call, dialogue, labels, reading_judge


@pytest.mark.parametrize("metric", [KnowledgeRetention(), RoleAdherence(role="a clerk")])
def test_t11_a_turn_with_nothing_to_judge_is_skipped_and_counted(metric: Metric) -> None:
    """T11: a turn of the assistant without text neither breaks a metric nor counts as right."""
    said = ["Yes.", "", " \n", "No."]
    talk = [HumanMessage(content="Well?"), *(AIMessage(content=text) for text in said)]
    script = {
        RETENTION: labels("retained", "forgotten"),
        ROLE: labels("in_role", "out_of_role"),
    }
    result = metric.score(user_input=talk, llm=FakeJudge(script))
    assert result.value == 0.5
    assert "1 of 2 messages" in str(result.reason)
    assert "2 skipped" in str(result.reason)


@pytest.mark.parametrize("prompt_reply", [[], [{"id": "9", "verdict": "retained"}]])
def test_t11_no_verdict_is_no_score(prompt_reply: list[Any]) -> None:
    """T11: an empty list of verdicts is not 1."""
    judge = FakeJudge({RETENTION: {"verdicts": prompt_reply}})
    talk = [HumanMessage(content="Well?"), AIMessage(content="Yes.")]
    result = KnowledgeRetention().score(user_input=talk, llm=judge)
    assert (result.status, result.code) == ("unscored", "missing_verdicts")


@pytest.mark.parametrize("talk", [[], [HumanMessage(content=" ")], [AIMessage(content="")]])
@pytest.mark.parametrize(
    ("metric", "fields"),
    [
        (TopicAdherence(), {"reference_topics": ["it"]}),
        (AgentGoalAccuracyWithoutReference(), {}),
        (ConversationCompleteness(), {}),
        (KnowledgeRetention(), {}),
        (RoleAdherence(role="a clerk"), {}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_t12_an_empty_conversation_has_a_defined_result(
    metric: Metric, fields: dict[str, Any], talk: list[Any]
) -> None:
    """T12: nothing to judge: no score, no call, no ZeroDivisionError."""
    judge = reading_judge()
    result = metric.score(user_input=talk, llm=judge, **fields)
    assert (result.status, result.code, judge.asked) == ("unscored", "not_applicable", [])


@pytest.mark.parametrize("metric", [ToolCallAccuracy(), ToolCallF1()], ids=lambda m: m.name)
def test_t12_no_calls_have_a_defined_result(metric: Any) -> None:
    """T12: no tool is expected or none is called."""
    for made, expected, value in ([], [], 1.0), ([call("a")], [], 0.0), ([], [call("a")], 0.0):
        talk = dialogue(*made).user_input
        assert metric.score(user_input=talk, reference_tool_calls=expected).value == value


def test_t12_a_user_who_wants_nothing_is_no_success() -> None:
    """T12: no intention is neither a full score nor a division by zero."""
    talk = [HumanMessage(content="Thanks, bye!"), AIMessage(content="Goodbye!")]
    judge = FakeJudge({INTENTIONS: {"intentions": []}})
    result = ConversationCompleteness().score(user_input=talk, llm=judge)
    assert (result.status, result.code) == ("unscored", "no_intention")


def test_t35_the_calls_of_the_agent_are_judged_not_the_expected_ones() -> None:
    """T35: change what the agent did, and the score moves."""
    expected = [call("pay", amount=10, to="Ann"), call("mail", to="Ann")]
    right = dialogue(*expected).user_input
    scores = {ToolCallAccuracy().score(user_input=right, reference_tool_calls=expected).value}
    for wrong in (
        [call("pay", amount=1000, to="Ann"), expected[1]],
        [expected[0]],
        [],
        [*expected, call("wipe")],
        expected[::-1],
    ):
        talk = dialogue(*wrong).user_input
        value = ToolCallAccuracy().score(user_input=talk, reference_tool_calls=expected).value
        assert isinstance(value, float)
        assert value < 1.0
        scores.add(value)
    assert 1.0 in scores

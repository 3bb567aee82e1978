"""Metrics of conversations: the worked examples, and no score over fewer items than submitted."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import MissingField, UsageError
from ragstone.local.judge import LocalJudge
from ragstone.messages import AIMessage, HumanMessage, ToolMessage
from ragstone.metrics import (
    AgentGoalAccuracyWithoutReference,
    AgentGoalAccuracyWithReference,
    ConversationCompleteness,
    KnowledgeRetention,
    Metric,
    RoleAdherence,
    TopicAdherence,
)
from ragstone.schema.results import MetricResult
from ragstone.schema.samples import MultiTurnSample
from scripted import (
    FULFILMENT,
    INTENTIONS,
    OUTCOME,
    RAISED,
    RETENTION,
    ROLE,
    TOPICS,
    WORKFLOW,
    FakeJudge,
    all_support,
    call,
    labels,
    quiet,
    reading_judge,
)

BOOKED = [
    HumanMessage(content="Book a table at the Golden Dragon for two at 8 pm."),
    AIMessage(content="", tool_calls=[call("book", place="Golden Dragon", people=2, hour=20)]),
    ToolMessage(content="booked"),
    AIMessage(content="Your table for two is booked for 8 pm."),
    HumanMessage(content="Thanks!"),
]
TALK = [
    HumanMessage(content="Tell me of Einstein's relativity, and of his papers."),
    AIMessage(content="It joins space and time; the papers are of 1905."),
    HumanMessage(content="And how do I bake a chocolate cake?"),
    AIMessage(content="Mix butter, flour and cocoa."),
]


def raised(*replies: tuple[str, str], quote: str = "") -> dict[str, Any]:
    """The reply that these topics are raised, each answered or refused."""
    return {"topics": [{"topic": t, "reply": r, "quote": quote} for t, r in replies]}


def adherence(replies: dict[str, Any], *verdicts: str, **options: Any) -> MetricResult:
    judge = FakeJudge({RAISED: replies, TOPICS: labels(*verdicts)})
    return TopicAdherence(**options).score(user_input=TALK, reference_topics=["science"], llm=judge)


@pytest.mark.parametrize(("mode", "value"), [("precision", 2 / 3), ("recall", 1.0), ("f1", 0.8)])
def test_b17_topic_adherence(mode: Any, value: float) -> None:
    three = raised(("relativity", "answered"), ("papers", "answered"), ("cake", "answered"))
    result = adherence(three, "inside", "inside", "outside", mode=mode)
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.reason == "3 topics: TP 2, FP 1, FN 0"


@pytest.mark.parametrize(
    ("replies", "verdicts", "values"),
    [
        (["refused", "refused"], ["outside", "outside"], (1.0, 1.0, 1.0)),
        (["refused", "refused"], ["inside", "outside"], (0.0, 0.0, 0.0)),
        (["answered", "refused"], ["inside", "inside"], (1.0, 0.5, 2 / 3)),
        (["answered", "refused"], ["outside", "inside"], (0.0, 0.0, 0.0)),
        (["answered", "refused"], ["inside", "outside"], (1.0, 1.0, 1.0)),
    ],
)
def test_a_refusal_outside_is_right_and_one_inside_is_wrong(
    replies: list[str], verdicts: list[str], values: tuple[float, ...]
) -> None:
    topics = raised(*((f"topic {n}", reply) for n, reply in enumerate(replies)))
    modes: tuple[Any, ...] = ("precision", "recall", "f1")
    for mode, value in zip(modes, values, strict=True):
        assert adherence(topics, *verdicts, mode=mode).value == pytest.approx(value)


def test_topics_are_counted_once_and_a_reply_that_contradicts_itself_is_asked_for_again() -> None:
    torn = raised(("Cake", "answered"), ("cake ", "refused"))
    judge = FakeJudge({RAISED: torn, TOPICS: all_support("inside")})
    given: dict[str, Any] = {"user_input": TALK, "reference_topics": ["cake"], "llm": judge}
    result = TopicAdherence().score(**given)
    assert (result.status, result.code) == ("unscored", "missing_verdicts")
    assert [id for id, _ in judge.asked] == [RAISED, RAISED]
    judge.script[RAISED] = [
        torn,
        raised(("Cake", "answered"), ("cake", "answered"), (" ", "refused")),
    ]
    result = TopicAdherence().score(**given)
    assert [piece.text for piece in result.evidence] == ["Cake"]
    judge.script[RAISED] = raised((" ", "answered"))
    assert TopicAdherence().score(**given).code == "no_topic"


def test_the_evidence_points_at_the_words_of_the_user() -> None:
    topics = raised(("cake", "answered"), quote="how do I bake a chocolate cake?")
    (piece,) = adherence(topics, "outside").evidence
    (span,) = piece.spans
    assert (piece.verdict, span.field, span.index) == ("answered_outside", "user_input", 2)
    assert TALK[2].content[span.start : span.end] == "how do I bake a chocolate cake?"


def goal_judge(verdict: str, **workflow: str) -> FakeJudge:
    found = {"user_goal": "A table is booked.", "end_state": "A table is booked.", **workflow}
    return FakeJudge({WORKFLOW: found, OUTCOME: {"reason": "r", "verdict": verdict}})


def test_b18_to_b21_agent_goal_accuracy() -> None:
    both, without = AgentGoalAccuracyWithReference(), AgentGoalAccuracyWithoutReference()
    reference = "A table for two is booked at the Golden Dragon for 8 pm."
    judge = goal_judge("reached")
    assert both.score(user_input=BOOKED, reference=reference, llm=judge).value == 1.0
    assert without.score(user_input=BOOKED, llm=judge).value == 1.0
    asked = [data for id, data in judge.asked if id == OUTCOME]
    assert [data.desired_outcome for data in asked] == [reference, "A table is booked."]  # type: ignore[attr-defined]
    invalid = "The agent should fulfill the user's request."
    failed = both.score(user_input=BOOKED, reference=invalid, llm=goal_judge("not_reached"))
    assert (failed.value, failed.reason) == (0.0, "r")


def test_one_run_infers_goal_and_end_once_for_both() -> None:
    sample = MultiTurnSample(user_input=BOOKED, reference="It is booked.")
    judge = reading_judge()
    metrics: list[Metric] = [AgentGoalAccuracyWithReference(), AgentGoalAccuracyWithoutReference()]
    quiet([sample], metrics, llm=judge)
    assert sorted(id for id, _ in judge.asked) == [OUTCOME, OUTCOME, WORKFLOW]


def test_a_goal_or_an_end_that_is_not_found_is_no_score() -> None:
    without, judge = AgentGoalAccuracyWithoutReference(), goal_judge("reached", user_goal=" ")
    result = without.score(user_input=BOOKED, llm=judge)
    assert (result.code, [id for id, _ in judge.asked]) == ("not_applicable", [WORKFLOW])
    result = without.score(user_input=BOOKED, llm=goal_judge("reached", end_state=""))
    assert "how the conversation ended" in str(result.reason)


def test_completeness_is_the_share_of_intentions_that_are_satisfied() -> None:
    wanted = {"intentions": [{"intention": "book a table"}, {"intention": "know the way"}] * 2}
    judge = FakeJudge({INTENTIONS: wanted, FULFILMENT: labels("satisfied", "unsatisfied")})
    result = ConversationCompleteness().score(user_input=BOOKED, llm=judge)
    assert (result.value, result.reason) == (0.5, "1 of 2 intentions satisfied")
    judge.script[INTENTIONS] = {"intentions": [{"intention": " "}]}
    assert ConversationCompleteness().score(user_input=BOOKED, llm=judge).code == "no_intention"


def test_retention_judges_what_follows_the_first_word_of_the_user() -> None:
    talk = [AIMessage(content="Hello!"), *BOOKED[:4], AIMessage(content="For how many people?")]
    told = "Book a table at the Golden Dragon for two"
    reply = {
        "verdicts": [
            {"id": "1", "verdict": "retained"},
            {"id": "2", "verdict": "forgotten", "quote": told},
        ]
    }
    judge = FakeJudge({RETENTION: reply})
    result = KnowledgeRetention().score(user_input=talk, llm=judge)
    assert result.value == 0.5
    assert result.reason == ("1 of 2 messages of the AI retained; 2 skipped, with nothing to judge")
    assert [span.index for span in result.evidence[1].spans] == [5, 1]
    ((_, data),) = judge.asked
    (shown,) = data.conversation  # type: ignore[attr-defined]
    assert [line for line in shown.splitlines() if "item" in line] == [
        "AI: (item 1)",
        "AI: (item 2)",
    ]
    assert "For how many people?" not in shown
    assert "Tools:\n  book: {" in shown


def test_role_of_the_sample_wins_over_that_of_the_metric() -> None:
    judge = FakeJudge({ROLE: labels("in_role", "out_of_role")})
    given: dict[str, Any] = {"user_input": TALK, "llm": judge}
    assert RoleAdherence(role="a teacher").score(**given).value == 0.5
    assert RoleAdherence(role="a teacher").score(**given, chatbot_role="a baker").value == 0.5
    assert [data.role for _, data in judge.asked] == ["a teacher", "a baker"]  # type: ignore[attr-defined]
    with pytest.raises(MissingField, match="'chatbot_role'"):
        RoleAdherence().score(**given)
    sample = MultiTurnSample(user_input=TALK, chatbot_role="a baker")
    assert quiet([sample], [RoleAdherence()], llm=judge)["role_adherence"] == [0.5]


JUDGED: list[tuple[Metric, dict[str, Any], str, str, Callable[[int], dict[str, Any]]]] = [
    (
        TopicAdherence(mode="precision"),
        {"reference_topics": ["it"]},
        TOPICS,
        "inside",
        lambda n: {RAISED: raised(*((f"topic {k}", "answered") for k in range(n)))},
    ),
    (
        ConversationCompleteness(),
        {},
        FULFILMENT,
        "satisfied",
        lambda n: {INTENTIONS: {"intentions": [{"intention": f"wish {k}"} for k in range(n)]}},
    ),
    (KnowledgeRetention(), {}, RETENTION, "retained", lambda n: {}),
    (RoleAdherence(role="a clerk"), {}, ROLE, "in_role", lambda n: {}),
]
OTHER = {
    "inside": "outside",
    "satisfied": "unsatisfied",
    "retained": "forgotten",
    "in_role": "out_of_role",
}


@pytest.mark.parametrize("case", JUDGED, ids=lambda case: case[0].name)
@given(data=st.data())
async def test_no_score_is_made_over_fewer_items_than_submitted(
    case: Any, data: st.DataObject
) -> None:
    """Missing, repeated, mixed and contradictory verdicts: the denominator is ours, or no score."""
    metric, fields, prompt, good, before = case
    count = data.draw(st.integers(1, 5))
    ids = [str(n + 1) for n in range(count)]
    label = st.sampled_from([good, OTHER[good]])
    one = st.fixed_dictionaries({"id": st.sampled_from([*ids, "99"]), "verdict": label})
    drawn = [data.draw(st.lists(one, max_size=8)) for _ in range(2)]
    judge = FakeJudge({**before(count), prompt: [{"verdicts": verdicts} for verdicts in drawn]})
    talk = [HumanMessage(content="x"), *(AIMessage(content=f"y {n}") for n in range(count))]
    result = await metric.ascore(user_input=talk, llm=judge, **fields)
    settled: dict[str, str] = {}
    for verdicts in drawn:
        for key in [each for each in ids if each not in settled]:
            given_labels = {v["verdict"] for v in verdicts if v["id"] == key}
            if len(given_labels) == 1:
                settled[key] = given_labels.pop()
    if len(settled) < count:
        assert (result.status, result.code) == ("unscored", "missing_verdicts")
        return
    assert result.value == sum(v == good for v in settled.values()) / count
    assert len(result.evidence) == count


EVERY: list[tuple[Metric, dict[str, Any]]] = [
    (TopicAdherence(), {"reference_topics": ["it"]}),
    (AgentGoalAccuracyWithReference(), {"reference": "it"}),
    (AgentGoalAccuracyWithoutReference(), {}),
    (ConversationCompleteness(), {}),
    (KnowledgeRetention(), {}),
    (RoleAdherence(role="a clerk"), {}),
]
every = pytest.mark.parametrize(("metric", "fields"), EVERY, ids=lambda v: getattr(v, "name", ""))


@every
def test_calls_are_few_whatever_the_length(metric: Metric, fields: dict[str, Any]) -> None:
    talk = [
        m for n in range(20) for m in (HumanMessage(content=f"q{n}"), AIMessage(content=f"a{n}"))
    ]
    judge = reading_judge()
    assert metric.score(user_input=talk, llm=judge, **fields).status == "scored"
    assert len(judge.asked) == (
        1 if metric.name in ("knowledge_retention", "role_adherence") else 2
    )


@every
def test_what_is_no_conversation_is_refused(metric: Metric, fields: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"HumanMessage\(content="):
        metric.score(user_input="hello", llm=FakeJudge({}), **fields)
    with pytest.raises(UsageError, match="make it a HumanMessage"):
        metric.score(user_input=[{"type": "human"}], llm=FakeJudge({}), **fields)


@every
def test_a_long_conversation_is_judged_in_parts(metric: Metric, fields: dict[str, Any]) -> None:
    talk = [
        HumanMessage(content="q " * 100),
        AIMessage(content="a"),
        HumanMessage(content="r " * 100),
    ]
    judge = reading_judge(window=150)
    assert metric.score(user_input=talk, llm=judge, **fields).value == 1.0
    assert len(judge.asked) > 2
    longest = max(len(data.model_dump_json()) for id, data in judge.asked if id != OUTCOME)
    assert longest < 300


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("ما هي عاصمة فرنسا؟", "باريس."),
        ("法国的首都是哪里？", "巴黎。"),
        ("フランスの首都はどこですか。", "パリです。"),
        ("फ्रांस की राजधानी क्या है?", "पेरिस।"),
        ("Was ist die Hauptstadt von Frankreich?", "Paris."),
    ],
)
def test_quotes_are_found_in_any_script(said: str, answered: str) -> None:
    talk = [HumanMessage(content=f"… {said}"), AIMessage(content=answered)]
    wanted = {"intentions": [{"intention": said, "quote": said}]}
    met = {"verdicts": [{"id": "1", "verdict": "satisfied", "quote": answered}]}
    judge = FakeJudge({INTENTIONS: wanted, FULFILMENT: met})
    (piece,) = ConversationCompleteness().score(user_input=talk, llm=judge).evidence
    spans = [
        (span.index, talk[span.index or 0].content[span.start : span.end]) for span in piece.spans
    ]
    assert spans == [(0, said), (1, answered)]


async def test_the_local_judge_says_what_it_cannot_tell() -> None:
    for metric, fields in EVERY:
        result = await metric.ascore(user_input=TALK, llm=LocalJudge(), **fields)
        assert (result.status, result.code) == ("unscored", "needs_llm"), metric.name

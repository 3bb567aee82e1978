"""The worked examples of the metrics' documentation, with scripted judges.

Where a page prints an epsilon in place of a whole number, ours is exact, and within 1e-6 of it.
"""

from typing import Any

import pytest

from ragstone.metrics import (
    AnswerCorrectness,
    AspectCritic,
    ContextPrecision,
    ContextRecall,
    ContextUtilization,
    ExactMatch,
    FactualCorrectness,
    Faithfulness,
    MetricResult,
    StringPresence,
    ToolCallF1,
)
from ragstone.schema.messages import ToolCall
from scripted import (
    ASPECT,
    CLAIMS,
    CLASSES,
    SUPPORT,
    USEFUL,
    FakeEmbedder,
    FakeJudge,
    all_support,
    call,
    claims,
    dialogue,
    labels,
    shared_by_text,
)

PARIS = "The Eiffel Tower is located in Paris."
INDIA = "The Eiffel Tower is located in India."
GATE = "The Brandenburg Gate is located in Berlin."
WHERE = "Where is the Eiffel Tower located?"


def test_a10_exact_match() -> None:
    assert ExactMatch().score(reference="Paris", response="India").value == 0.0
    assert ExactMatch().score(reference="Paris", response="Paris").value == 1.0


def test_a11_string_presence() -> None:
    assert StringPresence().score(reference="Eiffel Tower", response=INDIA).value == 1.0
    assert StringPresence().score(reference="Louvre", response=INDIA).value == 0.0


WEATHER, UV = call("weather_check", location="Paris"), call("uv_index_lookup", location="Paris")
AIR, LONDON = call("air_quality", location="Paris"), call("weather_check", location="London")


@pytest.mark.parametrize(
    ("made", "reference", "value"),
    [
        pytest.param([WEATHER, UV], [WEATHER, UV], 1.0, id="A20 all right"),
        # the page prints 0.67; precision 2/3 and recall 1 make 0.8
        pytest.param([WEATHER, UV, AIR], [WEATHER, UV], 0.8, id="A21 one call too many"),
        pytest.param([WEATHER], [WEATHER, UV], 2 / 3, id="A22 one call missing"),
        pytest.param([LONDON], [WEATHER], 0.0, id="A23 a wrong argument"),
    ],
)
def test_a20_to_a23_tool_call_f1(
    made: list[ToolCall], reference: list[ToolCall], value: float
) -> None:
    sample = dialogue(*made, reference=reference)
    result = ToolCallF1().score(
        user_input=sample.user_input, reference_tool_calls=sample.reference_tool_calls
    )
    assert result.value == pytest.approx(value, abs=1e-12)


def useful(*verdicts: bool) -> FakeJudge:
    """A judge that finds the contexts useful or not, in turn."""
    return FakeJudge({USEFUL: labels(*("useful" if v else "not_useful" for v in verdicts))})


def precision_of(metric: Any, verdicts: list[bool], **fields: Any) -> MetricResult:
    result = metric.score(user_input=WHERE, llm=useful(*verdicts), **fields)
    assert isinstance(result, MetricResult)
    return result


def test_b1_context_precision() -> None:
    result = precision_of(
        ContextPrecision(), [True, False], reference=PARIS, retrieved_contexts=[PARIS, GATE]
    )
    assert result.value == 1.0
    assert result.value == pytest.approx(0.9999999999, abs=1e-6)


def test_b2_context_utilization() -> None:
    result = precision_of(
        ContextUtilization(), [True, False], response=PARIS, retrieved_contexts=[PARIS, GATE]
    )
    assert result.value == 1.0


def test_b3_context_utilization_reversed() -> None:
    result = precision_of(
        ContextUtilization(), [False, True], response=PARIS, retrieved_contexts=[GATE, PARIS]
    )
    assert result.value == 0.5
    assert result.value == pytest.approx(0.49999999995, abs=1e-6)


def test_b4_one_relevant_context() -> None:
    fields: dict[str, Any] = {"retrieved_contexts": [PARIS]}
    assert precision_of(ContextPrecision(), [True], reference=PARIS, **fields).value == 1.0
    assert precision_of(ContextUtilization(), [True], response=PARIS, **fields).value == 1.0


def test_b5_context_recall() -> None:
    judge = FakeJudge({SUPPORT: labels("supported")})
    result = ContextRecall().score(
        user_input=WHERE,
        retrieved_contexts=["Paris is the capital of France."],
        reference=PARIS,
        llm=judge,
    )
    assert result.value == 1.0


HEIGHT = "It has a height of 1000ft."


def correctness(**options: Any) -> MetricResult:
    """The response has one claim, the reference this one and another."""
    judge = FakeJudge(
        {
            CLAIMS: lambda d: claims(PARIS, HEIGHT) if HEIGHT in d.text else claims(PARIS),
            SUPPORT: lambda d: {
                "verdicts": [
                    {"id": i.id, "verdict": "supported" if i.text == PARIS else "not_mentioned"}
                    for i in d.items
                ]
            },
        }
    )
    return FactualCorrectness(**options).score(
        response=PARIS, reference=f"{PARIS} {HEIGHT}", llm=judge
    )


def test_b6_factual_correctness() -> None:
    result = correctness()
    assert result.value == pytest.approx(2 / 3, abs=1e-12)
    assert round(float(result), 2) == 0.67
    assert result.reason == "TP 1, FP 0, FN 1; precision 1, recall 0.5"


def test_b7_factual_correctness_precision() -> None:
    assert correctness(mode="precision").value == 1.0
    assert correctness(mode="precision", atomicity="low").value == 1.0


def test_t47_modes_of_factual_correctness_are_plain_arithmetic() -> None:
    """T47: true and false positives are not swapped; recall is TP / (TP + FN)."""
    assert correctness(mode="recall").value == 0.5
    assert correctness(beta=2.0).value == pytest.approx(5 * 1 * 0.5 / (4 * 1 + 0.5))
    assert correctness(beta=0.5).value == pytest.approx(1.25 * 1 * 0.5 / (0.25 * 1 + 0.5))


BORN = {
    "Spain": ["Einstein was born in 1879.", "Einstein was born in Spain."],
    "Germany": ["Einstein was born in 1879.", "Einstein was born in Germany."],
}


def answer_correctness(embedder: FakeEmbedder | None = None, **options: Any) -> MetricResult:
    """One statement in common, one only in the response, one only in the reference."""
    judge = FakeJudge(
        {
            CLAIMS: lambda d: claims(*BORN["Spain" if "Spain" in d.text else "Germany"]),
            CLASSES: shared_by_text,
        }
    )
    return AnswerCorrectness(**options).score(
        user_input="When and where was Einstein born?",
        response="Einstein was born in Spain in 1879.",
        reference="Einstein was born in 1879 in Germany.",
        llm=judge,
        embeddings=embedder,
    )


def test_b15_answer_correctness_counts() -> None:
    result = answer_correctness(weights=(1, 0))
    assert result.value == 0.5
    assert result.reason == "TP 1, FP 1, FN 1"
    assert [(e.text, e.verdict) for e in result.evidence] == [
        ("Einstein was born in 1879.", "TP"),
        ("Einstein was born in Spain.", "FP"),
        ("Einstein was born in 1879.", "matched"),
        ("Einstein was born in Germany.", "FN"),
    ]


def test_b16_answer_correctness_super_bowl() -> None:
    """The page prints 0.95: facts that agree, and a similarity of 0.8."""
    held = "The first superbowl was held on {} 15, 1967"
    response, reference = held.format("Jan"), held.format("January")
    judge = FakeJudge({CLAIMS: lambda d: claims(d.text), CLASSES: all_support("shared")})
    result = AnswerCorrectness().score(
        user_input="When was the first super bowl?",
        response=response,
        reference=reference,
        llm=judge,
        embeddings=FakeEmbedder({response: [1.0, 0.0], reference: [0.8, 0.6]}),
    )
    assert result.value == pytest.approx(0.95, abs=1e-12)
    assert [prompt for prompt, _ in judge.asked] == [CLAIMS, CLAIMS, CLASSES]


EINSTEIN = (
    "Albert Einstein (born 14 March 1879) was a German-born theoretical physicist, widely held "
    "to be one of the greatest and most influential scientists of all time"
)


def test_b9_faithfulness_half() -> None:
    judge = FakeJudge(
        {
            CLAIMS: claims("Einstein was born in Germany.", "Einstein was born on 20 March 1879."),
            SUPPORT: labels("supported", "contradicted"),
        }
    )
    result = Faithfulness().score(
        user_input="Where and when was Einstein born?",
        response="Einstein was born in Germany on 20th March 1879.",
        retrieved_contexts=[EINSTEIN],
        llm=judge,
    )
    assert result.value == 0.5
    assert result.reason == "1 of 2 claims supported, 1 contradicted"
    assert [piece.verdict for piece in result.evidence] == ["supported", "contradicted"]


def test_b10_faithfulness_super_bowl() -> None:
    judge = FakeJudge(
        {
            CLAIMS: claims("The first superbowl was held on Jan 15, 1967."),
            SUPPORT: all_support("supported"),
        }
    )
    result = Faithfulness().score(
        user_input="When was the first super bowl?",
        response="The first superbowl was held on Jan 15, 1967",
        retrieved_contexts=[
            "The First AFL-NFL World Championship Game was an American football game played on "
            "January 15, 1967, at the Los Angeles Memorial Coliseum in Los Angeles."
        ],
        llm=judge,
    )
    assert result.value == 1.0


def test_b26_aspect_critic() -> None:
    critic = AspectCritic(
        name="maliciousness",
        definition="Is the response intended to harm, deceive, or exploit users?",
        higher_is_better=False,
    )
    judge = FakeJudge({ASPECT: {"reason": "It names a place.", "verdict": "no"}})
    assert critic.score(user_input=WHERE, response=PARIS, llm=judge).value == 0


def votes(*verdicts: str) -> FakeJudge:
    return FakeJudge({ASPECT: [{"reason": f"said {v}", "verdict": v} for v in verdicts]})


def test_b27_aspect_critic_majority() -> None:
    critic = AspectCritic(name="brief", definition="Is it brief?", strictness=3)
    result = critic.score(user_input=WHERE, response=PARIS, llm=votes("yes", "no", "yes"))
    assert result.value == 1
    assert result.reason == "said yes (67% of 3 answers)"
    assert [piece.verdict for piece in result.evidence] == ["yes", "no", "yes"]
    assert critic.score(response=PARIS, llm=votes("no", "no", "yes")).value == 0


def test_b27_a_tie_is_no_score() -> None:
    critic = AspectCritic(name="brief", definition="Is it brief?", strictness=2)
    result = critic.score(response=PARIS, llm=votes("yes", "no"))
    assert (result.status, result.code, result.value) == ("unscored", "tie", None)

"""The sums of the chat metrics, with scripted judges and embedders."""

from typing import Any

import pytest

from ragstone import chat_suite
from ragstone.errors import MissingField, UsageError
from ragstone.metrics import (
    HallucinatedEntities,
    QueryContextAgreement,
    QueryResponseAgreement,
    ResponseContextAgreement,
)
from ragstone.metrics.chat._sentences import context_sentences
from ragstone.schema.results import MetricResult
from scripted import ASKED, ENTITIES, HELD, RELEVANT, FakeEmbedder, FakeJudge, labels

VECTORS = FakeEmbedder(
    {
        "north": [1.0, 0.0],
        "north.": [1.0, 0.0],
        "east.": [0.0, 1.0],
        "both.": [1.0, 1.0],
        "south.": [-1.0, 0.0],
    },
    dimensions=2,
)


def statistics_of(result: MetricResult) -> dict[str, float | None]:
    return {e.text: e.weight for e in result.evidence if e.verdict == "statistic"}


def test_probabilities_are_averaged_with_their_spread() -> None:
    replies = [("1", "relevant", 0.9), ("2", "irrelevant", 0.1), ("3", "irrelevant", 0.2)]
    verdicts = [{"id": i, "verdict": v, "probability": p} for i, v, p in replies]
    judge = FakeJudge({RELEVANT: {"verdicts": verdicts}})
    contexts = ["One is red. Two is blue.", "Three is green."]
    result = QueryContextAgreement().score(user_input="q?", retrieved_contexts=contexts, llm=judge)
    assert result == pytest.approx(0.4)
    assert statistics_of(result) == {"std": pytest.approx(0.3559, abs=1e-4), "min": 0.1, "max": 0.9}
    assert "std 0.356, min 0.100, max 0.900" in str(result.reason)
    spans = [e.spans[0] for e in result.evidence[:3]]
    assert [contexts[s.index or 0][s.start : s.end] for s in spans] == [
        "One is red.",
        "Two is blue.",
        "Three is green.",
    ]


def test_labels_alone_count_one_or_zero_and_equal_sentences_are_asked_once() -> None:
    judge = FakeJudge({RELEVANT: labels("relevant", "irrelevant")})
    result = QueryContextAgreement().score(
        user_input="q?", retrieved_contexts=["Red. Blue.", "Red."], llm=judge
    )
    assert result == pytest.approx(2 / 3)
    assert len(judge.asked[0][1].items) == 2  # type: ignore[attr-defined]


def test_questions_are_compared_with_the_one_asked() -> None:
    judge = FakeJudge(
        {ASKED: {"refuses": False, "questions": ["north.", " ", "north.", "east.", "south."]}}
    )
    result = QueryResponseAgreement().score(
        user_input="north", response="r", llm=judge, embeddings=VECTORS
    )
    assert result == pytest.approx(1 / 3)
    assert [e.text for e in result.evidence[:3]] == ["north.", "east.", "south."]
    assert "a language model" in str(result.reason)


@pytest.mark.parametrize(
    ("refuses", "value", "code"), [(True, 0.0, None), (False, None, "no_claims")]
)
def test_no_question_is_zero_only_for_a_refusal(
    refuses: bool, value: float | None, code: str | None
) -> None:
    judge = FakeJudge({ASKED: {"refuses": refuses, "questions": []}})
    result = QueryResponseAgreement().score(
        user_input="north", response="r", llm=judge, embeddings=VECTORS
    )
    assert (result.value, result.code) == (value, code)


@pytest.mark.parametrize(
    ("response", "contexts", "value"),
    [
        ("north. east.", ["east. north."], 1.0),
        ("north. north.", ["north. south."], 0.5),
        ("both. north.", ["north. east."], (1 + 2**-0.5) / 2),
        ("north. east. both.", ["north."], 1 / 3),
        ("north.", ["south."], 0.0),
    ],
)
def test_sentences_are_matched_one_to_one_for_the_largest_sum(
    response: str, contexts: list[str], value: float
) -> None:
    result = ResponseContextAgreement().score(
        response=response, retrieved_contexts=contexts, embeddings=VECTORS
    )
    assert result == pytest.approx(value)


def test_the_assignment_is_the_evidence() -> None:
    result = ResponseContextAgreement().score(
        response="north. both.", retrieved_contexts=["south.", "north."], embeddings=VECTORS
    )
    first, second = result.evidence[:2]
    assert (first.verdict, first.reason, first.weight) == ("matched", "north.", 1.0)
    assert [(s.field, s.index) for s in first.spans] == [
        ("response", None),
        ("retrieved_contexts", 1),
    ]
    assert (second.verdict, second.weight) == ("matched", 0.0)
    left = ResponseContextAgreement().score(
        response="north. both.", retrieved_contexts=["north."], embeddings=VECTORS
    )
    assert [e.verdict for e in left.evidence[:2]] == ["matched", "unmatched"]
    assert "1 without a partner" in str(left.reason)


def entities(*found: tuple[str, int | None]) -> Any:
    listed = [
        {"text": t, "kind": "other"} | ({"start": s} if s is not None else {}) for t, s in found
    ]
    return {"entities": listed}


def test_an_entity_counts_once_and_is_marked_wherever_it_stands() -> None:
    response = "Ann met Bob. Then bob left; Bobby stayed."
    judge = FakeJudge(
        {
            ENTITIES: entities(("Ann", 0), ("Bob", None), ("Zoe", None), ("bob", None)),
            HELD: labels("supported", "unsupported"),
        }
    )
    result = HallucinatedEntities().score(
        response=response, retrieved_contexts=["Ann came."], llm=judge
    )
    assert result == 0.5
    assert [(e.text, e.verdict) for e in result.evidence] == [
        ("Ann", "supported"),
        ("Bob", "hallucinated"),
    ]
    assert [response[s.start : s.end] for s in result.evidence[1].spans] == ["Bob", "bob"]
    assert str(result.reason).endswith(": Bob")


def test_a_wrong_place_is_looked_up_and_what_is_not_there_is_no_entity() -> None:
    judge = FakeJudge({ENTITIES: entities(("Ann", 99), ("Zoe", 3)), HELD: labels("supported")})
    given = {"response": "Then Ann came.", "retrieved_contexts": ["Ann"]}
    result = HallucinatedEntities().score(**given, llm=judge)
    assert [(s.start, s.end) for s in result.evidence[0].spans][:1] == [(5, 8)]
    nobody = FakeJudge({ENTITIES: entities(("Zoe", None))})
    assert HallucinatedEntities().score(**given, llm=nobody).code == "no_entities"


def test_strict_counts_a_lack_of_contexts_as_the_worst() -> None:
    given: dict[str, Any] = {"response": "Ann came.", "retrieved_contexts": [" "]}
    assert HallucinatedEntities(strict=True).score(**given, llm=FakeJudge({})) == 1.0
    assert ResponseContextAgreement(strict=True).score(**given, embeddings=VECTORS) == 0.0


def test_a_long_response_is_read_in_pieces() -> None:
    def names(data: Any) -> Any:
        return entities(*[(word, 0) for word in ("Ann", "Bob") if word in data.text])

    response = "Ann came. " + "It was late. " * 20 + "Bob left."
    judge = FakeJudge({ENTITIES: names, HELD: labels("supported", "unsupported")}, window=120)
    result = HallucinatedEntities().score(response=response, retrieved_contexts=["Ann"], llm=judge)
    assert [response[s.start : s.end] for e in result.evidence for s in e.spans[:1]] == [
        "Ann",
        "Bob",
    ]


def test_lines_and_marks() -> None:
    found = context_sentences(["- one\n- two\n---\n", "", "Three. ..."])
    assert [s.text for s in found] == ["- one", "- two", "Three."]


def test_the_suite_says_what_it_lacks() -> None:
    with pytest.raises(MissingField, match="retrieved_contexts"):
        chat_suite({"user_input": "q?", "response": "r"}, llm=FakeJudge({}), embeddings=VECTORS)
    with pytest.raises(UsageError, match="a mapping, not 'hello'"):
        chat_suite("hello")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="count must be 1 or more, not 0"):
        QueryResponseAgreement(count=0)

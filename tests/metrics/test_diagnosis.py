"""The diagnosis: ten shares from four questions, worked out by hand."""

import math
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.local.judge import LocalJudge
from ragstone.metrics import AnswerCorrectness, Diagnosis, MetricResult
from ragstone.metrics.rag._diagnosed import LOWER, Claim, Diagnosed
from ragstone.testing import FakeEmbedder
from scripted import CLAIMS, CLASSES, SOURCES, FakeJudge, all_sources, claims, quiet

FIELDS: dict[str, Any] = {
    "user_input": "q",
    "response": "answer",
    "reference": "reference",
    "retrieved_contexts": ["one", "two", "three"],
}
RESPONSE = {  # claim: said by the reference, supported by
    "right": (True, [1]),
    "known": (True, []),
    "misled": (False, [1, 3]),
    "astray": (False, [3]),
    "invented": (False, []),
}
REFERENCE = {
    "said and held": (True, [1]),
    "held": (False, [1, 2]),
    "said": (True, []),
    "neither": (False, []),
}
KNOWN = RESPONSE | REFERENCE


def script(**changes: Any) -> dict[str, Any]:
    return {
        CLAIMS: lambda d: claims(*(RESPONSE if d.text == "answer" else REFERENCE)),
        CLASSES: lambda d: {
            "verdicts": [
                {"id": i.id, "verdict": "shared" if KNOWN[i.text][0] else "one_sided"}
                for i in d.items
            ]
        },
        SOURCES: lambda d: {
            "verdicts": [{"id": i.id, "contexts": KNOWN[i.text][1]} for i in d.items]
        },
        **changes,
    }


EXPECTED = {
    "precision": 2 / 5,
    "recall": 2 / 4,
    "f1": 2 * 0.4 * 0.5 / 0.9,
    "claim_recall": 2 / 4,
    "context_utilization": 1 / 2,
    "faithfulness": 3 / 5,
    "hallucination": 1 / 5,
    "noise_sensitivity_relevant": 1 / 5,
    "noise_sensitivity_irrelevant": 1 / 5,
    "self_knowledge": 1 / 5,
}


@pytest.mark.parametrize("mode", EXPECTED)
def test_each_share_by_hand(mode: Any) -> None:
    judge = FakeJudge(script())
    result = Diagnosis(mode=mode).score(**FIELDS, llm=judge)
    assert result.value == pytest.approx(EXPECTED[mode])
    assert Diagnosis.values(result) == pytest.approx(EXPECTED)
    assert len(judge.asked) == 4
    assert Diagnosis(mode=mode).higher_is_better is (mode not in LOWER)


def test_the_evidence_tells_what_each_claim_is() -> None:
    result = Diagnosis().score(**FIELDS, llm=FakeJudge(script()))
    kinds = {piece.text: piece.verdict for piece in result.evidence if piece.text in KNOWN}
    assert kinds == {
        "right": "correct",
        "known": "self_knowledge",
        "misled": "noise_sensitivity_relevant",
        "astray": "noise_sensitivity_irrelevant",
        "invented": "hallucination",
        "said and held": "used",
        "held": "unused",
        "said": "known",
        "neither": "missed",
    }
    behind = {p.text: [s.index for s in p.spans if s.index is not None] for p in result.evidence}
    assert behind["misled"] == [0, 2]


flags = st.lists(st.tuples(st.booleans(), st.frozensets(st.integers(0, 3))), min_size=1, max_size=8)


@given(ours=flags, theirs=flags)
def test_the_kinds_of_claims_make_up_the_whole(ours: Any, theirs: Any) -> None:
    found = Diagnosed([Claim("c", *c) for c in ours], [Claim("c", *c) for c in theirs])
    shares = {
        name: value[0] / value[1] if isinstance(value, tuple) else value
        for name, value in found.measures().items()
    }
    assert all(value is None or 0.0 <= value <= 1.0 for value in shares.values())
    wrong = [n for n in LOWER if n != "self_knowledge"]
    assert math.isclose(sum(shares[n] or 0.0 for n in wrong), 1 - (shares["precision"] or 0.0))
    unheld = (shares["hallucination"] or 0.0) + (shares["self_knowledge"] or 0.0)
    assert math.isclose(unheld, 1 - (shares["faithfulness"] or 0.0), abs_tol=1e-12)
    assert (shares["context_utilization"] is None) is (shares["claim_recall"] == 0.0)


def test_a_share_of_nothing_is_no_score_but_the_others_stand() -> None:
    bare = script(**{SOURCES: all_sources()})
    result = Diagnosis(mode="context_utilization").score(**FIELDS, llm=FakeJudge(bare))
    assert (result.status, result.code) == ("unscored", "not_applicable")
    values = Diagnosis.values(result)
    assert values["context_utilization"] is None
    assert values["precision"] == pytest.approx(0.4)
    assert Diagnosis().score(**FIELDS, llm=FakeJudge(bare)).status == "scored"


def test_several_modes_and_answer_correctness_share_their_calls() -> None:
    judge = FakeJudge(script())
    metrics = [Diagnosis(mode="hallucination"), Diagnosis(), AnswerCorrectness()]
    result = quiet([FIELDS], metrics, llm=judge, embeddings=FakeEmbedder())
    assert len(judge.asked) == 4
    assert result["diagnosis(mode=hallucination)"] == [pytest.approx(0.2)]


@given(
    st.dictionaries(st.sampled_from(sorted(KNOWN)), st.sampled_from(["gone", "torn", "nowhere"])),
    st.sampled_from([CLASSES, SOURCES]),
    st.integers(0, 999),
)
def test_a_missing_or_torn_verdict_never_makes_a_score(
    bad: dict[str, str], prompt: str, seed: int
) -> None:
    whole = script()

    def reply(data: Any) -> dict[str, Any]:
        verdicts = []
        for item, good in zip(data.items, whole[prompt](data)["verdicts"], strict=True):
            kinds = [{"verdict": "shared"}, {"verdict": "one_sided"}]
            nowhere = {**good, "id": "99"}
            if prompt == SOURCES:
                kinds, nowhere = [{"contexts": [2]}, {"contexts": [3]}], {**good, "contexts": [99]}
            torn = [{"id": item.id, **kind} for kind in kinds]
            verdicts += {"gone": [], "torn": torn, "nowhere": [nowhere]}.get(
                bad.get(item.text, ""), [good]
            )
        Random(seed).shuffle(verdicts)
        return {"verdicts": verdicts}

    result = Diagnosis().score(**FIELDS, llm=FakeJudge(script(**{prompt: reply})))
    if bad:
        assert (result.status, result.code) == ("unscored", "missing_verdicts")
    else:
        assert result.value == pytest.approx(EXPECTED["f1"])


def test_contexts_too_long_for_one_question_are_asked_in_groups() -> None:
    def held(data: Any) -> dict[str, Any]:
        found = [n for n, c in enumerate(data.contexts, 1) if "needle" in c]
        return {"verdicts": [{"id": i.id, "contexts": found} for i in data.items]}

    contexts = ["x" * 900, " ", "y" * 2500 + " needle", "z" * 300, "needle"]
    judge = FakeJudge(script(**{SOURCES: held}), window=2000)
    result = Diagnosis().score(**{**FIELDS, "retrieved_contexts": contexts}, llm=judge)
    behind = next(p for p in result.evidence if p.text == "invented")
    assert [span.index for span in behind.spans if span.index is not None] == [2, 4]
    asked = [data for prompt, data in judge.asked if prompt == SOURCES]
    assert len(asked) > 1
    assert all(sum(map(len, data.contexts)) <= 1000 for data in asked)  # type: ignore[attr-defined]


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(UsageError, match=r"mode must be one of f1, precision.*'f2'"):
        Diagnosis(mode="f2")  # type: ignore[arg-type]


def test_the_local_judge_diagnoses() -> None:
    result: MetricResult = Diagnosis().score(
        user_input="Where is the tower, and how tall is it?",
        response="The Eiffel Tower is in Paris. It was painted green in 1999.",
        reference="The Eiffel Tower is in Paris. The Eiffel Tower is 330 metres tall.",
        retrieved_contexts=["The Eiffel Tower is in Paris.", "The Louvre is a museum."],
        llm=LocalJudge(),
    )
    values = Diagnosis.values(result)
    assert (values["precision"], values["recall"]) == (0.5, 0.5)
    assert (values["faithfulness"], values["hallucination"]) == (0.5, 0.5)
    assert (values["claim_recall"], values["context_utilization"]) == (0.5, 1.0)

"""Noise sensitivity: the documented example, its sums, its calls, and verdicts that are no use."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone import SingleTurnSample
from ragstone.errors import UsageError
from ragstone.metrics import (
    ContextRecall,
    Faithfulness,
    Metric,
    MetricResult,
    NoiseSensitivity,
)
from scripted import (
    CLAIMS,
    SOURCES,
    SUPPORT,
    FakeJudge,
    all_sources,
    claims,
    quiet,
    reading_judge,
)

MODES = ("relevant", "irrelevant", "unsupported")
LIC = [
    "The Life Insurance Corporation of India (LIC) was established in 1956 following the "
    "nationalization of the insurance industry in India.",
    "LIC is the largest insurance company in India, with a vast network of policyholders and huge "
    "investments.",
    "As the largest institutional investor in India, LIC manages substantial funds, contributing "
    "to the financial stability of the country.",
    "The Indian economy is one of the fastest-growing major economies in the world, thanks to "
    "sectors like finance, technology, manufacturing etc.",
]
LARGEST = "LIC is the largest insurance company in India."
KNOWN = "LIC is known for its vast portfolio of investments."
STABLE = "LIC contributes to the financial stability of the country."
FOUNDED = "LIC was established in 1956."
HELD_BY = {LARGEST: [2], KNOWN: [2], STABLE: [3], FOUNDED: [1], "LIC manages funds.": [3]}


def lic_judge() -> FakeJudge:
    right = (LARGEST, KNOWN)
    return FakeJudge(
        {
            CLAIMS: lambda d: (
                claims(LARGEST, KNOWN, STABLE)
                if STABLE in d.text
                else claims(LARGEST, FOUNDED, "LIC manages funds.")
            ),
            SUPPORT: lambda d: {
                "verdicts": [
                    {"id": i.id, "verdict": "supported" if i.text in right else "not_mentioned"}
                    for i in d.items
                ]
            },
            SOURCES: lambda d: {
                "verdicts": [{"id": i.id, "contexts": HELD_BY[i.text]} for i in d.items]
            },
        }
    )


@pytest.mark.parametrize(
    ("mode", "value"), [("relevant", 1 / 3), ("irrelevant", 0.0), ("unsupported", 0.0)]
)
def test_b13_and_b14_the_documented_example(mode: Any, value: float) -> None:
    judge = lic_judge()
    result = NoiseSensitivity(mode=mode).score(
        user_input="What is the Life Insurance Corporation of India (LIC) known for?",
        response=f"{LARGEST} {KNOWN} {STABLE}",
        reference="LIC is the largest insurer, founded in 1956, and manages funds.",
        retrieved_contexts=LIC,
        llm=judge,
    )
    assert result.value == value
    assert [prompt for prompt, _ in judge.asked] == [CLAIMS, CLAIMS, SUPPORT, SOURCES]
    wrong = result.evidence[2]
    assert wrong.verdict == "wrong_by_relevant"
    assert [(span.field, span.index) for span in wrong.spans[-1:]] == [("retrieved_contexts", 2)]
    assert result.reason == (
        "1 of 3 claims wrong: 1 held by a relevant context, 0 by irrelevant ones only, 0 by none; "
        "3 of 4 contexts relevant"
    )


def noise(
    mode: Any, right: Sequence[bool], held: Sequence[Sequence[int]], expected: Sequence[int]
) -> MetricResult:
    """The result for these claims; the one claim of the reference is held by `expected`."""
    names = [f"Claim {n}." for n in range(len(right))]
    sources = {"Truth.": list(expected), **dict(zip(names, map(list, held), strict=True))}
    judge = FakeJudge(
        {
            CLAIMS: lambda d: claims("Truth.") if d.text == "truth" else claims(*names),
            SUPPORT: lambda d: {
                "verdicts": [
                    {"id": i.id, "verdict": "supported" if ok else "contradicted"}
                    for i, ok in zip(d.items, right, strict=True)
                ]
            },
            SOURCES: lambda d: {
                "verdicts": [{"id": i.id, "contexts": sources[i.text]} for i in d.items]
            },
        }
    )
    return NoiseSensitivity(mode=mode).score(
        user_input="What?",
        response=" ".join(names),
        reference="truth",
        retrieved_contexts=["one", "two", "three"],
        llm=judge,
    )


numbers = st.lists(st.integers(1, 3), max_size=3)


@given(st.lists(st.tuples(st.booleans(), numbers), min_size=1, max_size=6), numbers)
def test_the_three_modes_are_as_defined_and_add_up(
    made: list[tuple[bool, list[int]]], expected: list[int]
) -> None:
    right, held = [ok for ok, _ in made], [places for _, places in made]
    values = {mode: float(noise(mode, right, held, expected)) for mode in MODES}
    relevant = set(expected)
    of = len(made)
    by_relevant = sum(not ok and bool(relevant & set(places)) for ok, places in made)
    by_irrelevant = sum(
        not ok and bool(places) and not relevant & set(places) for ok, places in made
    )
    assert values["relevant"] == by_relevant / of
    assert values["irrelevant"] == by_irrelevant / of
    assert sum(values.values()) == pytest.approx(sum(not ok for ok in right) / of)


FIVE = [f"Fact {n} is so. Number {n} is odd." for n in range(5)]
ROW = {
    "user_input": "What is so?",
    "response": "Fact 1 is so. Fact 3 is so. Fact 9 is so.",
    "reference": "Fact 1 is so. Fact 2 is so.",
    "retrieved_contexts": FIVE,
}


def test_five_contexts_take_four_calls() -> None:
    judge = reading_judge()
    result = quiet([ROW], [NoiseSensitivity()], llm=judge)
    assert len(judge.asked) == 4
    assert result["noise_sensitivity"] == [0.0]


def test_what_other_metrics_asked_is_not_asked_again() -> None:
    """The claims of the response are split once for all; the three modes share all."""
    judge = reading_judge()
    metrics: list[Metric] = [Faithfulness(), ContextRecall()]
    quiet([ROW], metrics, llm=judge)
    before = len(judge.asked)
    judge.asked.clear()
    modes = [NoiseSensitivity(mode=mode) for mode in ("relevant", "irrelevant", "unsupported")]
    result = quiet([ROW], [*metrics, *modes], llm=judge)
    assert len(judge.asked) == before + 3
    assert result["noise_sensitivity(mode=irrelevant)"] == [pytest.approx(1 / 3)]
    assert result["noise_sensitivity(mode=unsupported)"] == [pytest.approx(1 / 3)]


def test_contexts_too_long_for_one_question_are_judged_in_parts() -> None:
    long = [f"{text} {'x' * 300}" for text in FIVE]
    judge = reading_judge(window=500)
    result = quiet([{**ROW, "retrieved_contexts": long}], [NoiseSensitivity()], llm=judge)
    assert result["noise_sensitivity"] == [0.0]
    assert [prompt for prompt, _ in judge.asked].count(SOURCES) > 1
    irrelevant = NoiseSensitivity(mode="irrelevant")
    again = quiet([{**ROW, "retrieved_contexts": long}], [irrelevant], llm=judge)
    assert again[irrelevant.key] == [pytest.approx(1 / 3)]


def test_t15_a_verdict_that_is_dropped_breaks_nothing() -> None:
    """T15: what is missing is asked for again, and only that; the other calls are kept."""
    judge = reading_judge()
    whole = judge.script[SOURCES]
    turns: list[int] = []

    def forgetful(data: Any) -> dict[str, Any]:
        turns.append(len(data.items))
        reply = whole(data)  # type: ignore[operator]
        return {"verdicts": reply["verdicts"][1:]} if len(turns) == 1 else reply

    judge.script[SOURCES] = forgetful
    result = quiet([ROW], [NoiseSensitivity(mode="irrelevant")], llm=judge)
    assert result["noise_sensitivity(mode=irrelevant)"] == [pytest.approx(1 / 3)]
    assert turns == [5, 1]


def test_t15_a_context_that_does_not_exist_is_no_verdict() -> None:
    """T15: numbers beyond the contexts count as missing, however often they come."""
    for number in (0, 6, -1):
        judge = reading_judge()
        judge.script[SOURCES] = all_sources(number)
        result = quiet([ROW], [NoiseSensitivity()], llm=judge)
        (found,) = result.results("noise_sensitivity")
        assert found is not None
        assert (found.status, found.code) == ("unscored", "missing_verdicts")


@given(data=st.data())
def test_broken_verdicts_never_make_a_score_over_fewer_claims(data: st.DataObject) -> None:
    """Missing, repeated, mixed or contradictory verdicts: the right score, or none."""
    rnd = random.Random(data.draw(st.integers(0, 10_000)))
    kinds = data.draw(st.lists(st.sampled_from(["drop", "double", "clash", "alien"]), max_size=4))
    # a verdict that is turned round, and of which the right one is lost, is a wrong answer
    kinds.sort(key=["drop", "double", "clash", "alien"].index)
    judge = reading_judge()

    def spoiled(script: Any, key: str, other: Any) -> Any:
        def reply(asked: Any) -> dict[str, Any]:
            verdicts = script(asked)["verdicts"]
            for kind in kinds:
                if kind == "alien":
                    verdicts.append({"id": "99", key: other(None)})
                elif verdicts and kind == "drop":
                    verdicts.pop(rnd.randrange(len(verdicts)))
                elif verdicts and kind == "double":
                    verdicts.append(rnd.choice(verdicts))
                elif verdicts:
                    verdicts.append({**verdicts[0], key: other(verdicts[0][key])})
            rnd.shuffle(verdicts)
            return {"verdicts": verdicts}

        return reply

    def turned(verdict: object) -> str:
        return "contradicted" if verdict == "supported" else "supported"

    judge.script[SUPPORT] = spoiled(judge.script[SUPPORT], "verdict", turned)
    judge.script[SOURCES] = spoiled(judge.script[SOURCES], "contexts", lambda v: [] if v else [1])
    metric = NoiseSensitivity(mode="unsupported")
    result = asyncio.run(metric.ascore(**metric.select(SingleTurnSample(**ROW)), llm=judge))
    if result.status == "scored":
        assert result.value == pytest.approx(1 / 3)
        assert len(result.evidence) == 3
    else:
        assert result.code == "missing_verdicts"


def test_modes_are_closed_and_strict_is_the_worst() -> None:
    with pytest.raises(UsageError, match="mode must be one of relevant, irrelevant, unsupported"):
        NoiseSensitivity(mode="both")  # type: ignore[arg-type]
    empty = {**ROW, "retrieved_contexts": [" "]}
    judge = FakeJudge({})
    assert NoiseSensitivity().score(**empty, llm=judge).code == "no_context"
    assert NoiseSensitivity(strict=True).score(**empty, llm=judge).value == 1.0


SKIES = {
    "Arabic": ("السماء زرقاء", "القمر بعيد"),
    "Chinese": ("天空是蓝色的", "月亮很远"),
    "Japanese": ("空は青い", "月は遠い"),
    "Hindi": ("आकाश नीला है", "चाँद दूर है"),
    "German": ("Der Himmel ist blau", "Köln ist groß"),
}


@pytest.mark.parametrize("language", SKIES)
def test_claims_of_any_language_are_held_against_each_context(language: str) -> None:
    first, second = SKIES[language]
    row = {
        "user_input": "?",
        "response": f"{first}. {second}.",
        "reference": f"{first}.",
        "retrieved_contexts": ["x", f"{second}; {first}"],
    }
    assert NoiseSensitivity().score(**row, llm=reading_judge()).value == 0.5

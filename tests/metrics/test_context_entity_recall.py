"""Context entity recall: the documented examples, other scripts, and verdicts that are no use."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.metrics import ContextEntityRecall, HallucinatedEntities, MetricResult
from scripted import ENTITIES, HELD, FakeJudge

TAJ = (
    "The Taj Mahal is an ivory-white marble mausoleum on the right bank of the river Yamuna in "
    "Agra. It was commissioned in 1631 by Shah Jahan to house the tomb of Mumtaz Mahal."
)
NAMES = ["Taj Mahal", "Yamuna", "Agra", "1631", "Shah Jahan", "Mumtaz Mahal"]
FIRST = "The Taj Mahal in Agra, India, was built by Shah Jahan for Mumtaz Mahal."
SECOND = "The Taj Mahal is a UNESCO site in India."


def named(*names: str) -> dict[str, Any]:
    return {"entities": [{"text": name, "kind": "other"} for name in names]}


def by_text(data: Any) -> dict[str, Any]:
    text = " ".join(data.contexts)
    return {
        "verdicts": [
            {"id": i.id, "quote": i.text, "verdict": "supported"}
            if i.text in text
            else {"id": i.id, "verdict": "unsupported"}
            for i in data.items
        ]
    }


def recall(reference: str, *contexts: str, names: list[str], **options: Any) -> MetricResult:
    judge = FakeJudge({ENTITIES: named(*names), HELD: by_text})
    result = ContextEntityRecall(**options).score(
        reference=reference, retrieved_contexts=list(contexts), llm=judge
    )
    if result.status == "scored" and any(context.strip() for context in contexts):
        assert [prompt for prompt, _ in judge.asked] == [ENTITIES, HELD]
    return result


def test_b11_reference_and_context_alike() -> None:
    tower = "The Eiffel Tower is located in Paris."
    result = recall(tower, tower, names=["Eiffel Tower", "Paris"])
    assert result.value == 1.0
    assert result.value == pytest.approx(0.999999995, abs=1e-6)


def test_b12_taj_mahal() -> None:
    result = recall(TAJ, FIRST, names=NAMES)
    assert result.value == 4 / 6
    assert recall(TAJ, SECOND, names=NAMES).value == 1 / 6
    assert result.reason == "4 of 6 entities are in the contexts; not there: Yamuna, 1631"
    spans = result.evidence[0].spans
    assert [span.field for span in spans] == ["reference", "retrieved_contexts"]
    assert TAJ[spans[0].start : spans[0].end] == "Taj Mahal"
    assert FIRST[spans[1].start : spans[1].end] == "Taj Mahal"
    assert [piece.verdict for piece in result.evidence].count("missing") == 2


def test_a_name_counts_once_and_what_does_not_stand_there_is_none() -> None:
    names = ["Taj Mahal", "taj mahal", "Agra", "Delhi", " "]
    assert recall(TAJ, SECOND, names=names).value == 0.5


@pytest.mark.parametrize(
    ("reference", "names", "context"),
    [
        pytest.param("埃菲尔铁塔位于巴黎。", ["埃菲尔铁塔", "巴黎"], "巴黎是首都。", id="Chinese"),
        pytest.param("富士山は日本にある。", ["富士山", "日本"], "日本の山。", id="Japanese"),
        pytest.param("يقع برج إيفل بباريس.", ["برج إيفل", "باريس"], "باريس عاصمة.", id="Arabic"),
        pytest.param("ताज महल आगरा में है।", ["ताज महल", "आगरा"], "आगरा एक शहर है।", id="Hindi"),
        pytest.param("Goethe wurde in Frankfurt geboren.", ["Goethe", "Frankfurt"], "Frankfurt.",
                     id="German"),
    ],
)  # fmt: skip
def test_names_are_found_in_any_script(reference: str, names: list[str], context: str) -> None:
    """In scripts without spaces a name stands among other letters."""
    assert recall(reference, context, names=names).value == 0.5
    judge = FakeJudge({ENTITIES: named(*names), HELD: by_text})
    result = HallucinatedEntities().score(
        response=reference, retrieved_contexts=[context], llm=judge
    )
    assert result.value == 0.5


def test_t12_nothing_named_and_blanks_have_codes() -> None:
    """T12: no entity divides nothing by zero."""
    assert recall("It is so.", "text", names=[]).code == "no_entities"
    assert recall(TAJ, " ", names=NAMES).code == "no_context"
    assert recall(TAJ, " ", names=NAMES, strict=True).value == 0.0
    assert recall(" ", TAJ, names=NAMES).code == "no_reference"


@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.sampled_from(["supported", "unsupported"])), max_size=12
    )
)
def test_broken_verdicts_never_make_a_score_over_fewer_entities(
    given_verdicts: list[tuple[int, str]],
) -> None:
    """Any verdicts at all: six entities are judged, or there is no score."""
    reply = {"verdicts": [{"id": str(n), "verdict": verdict} for n, verdict in given_verdicts]}
    judge = FakeJudge({ENTITIES: named(*NAMES), HELD: reply})
    metric = ContextEntityRecall()
    result = asyncio.run(metric.ascore(reference=TAJ, retrieved_contexts=[FIRST], llm=judge))
    said: dict[int, set[str]] = {}
    for n, verdict in given_verdicts:
        said.setdefault(n, set()).add(verdict)
    if all(len(said.get(n, ())) == 1 for n in range(1, 7)):
        assert result.value == sum(said[n] == {"supported"} for n in range(1, 7)) / 6
    else:
        assert (result.status, result.code) == ("unscored", "missing_verdicts")

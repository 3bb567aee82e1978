"""A cascade: sure verdicts are the local judge's, all others the LLM's, and both are counted."""

import asyncio
import threading
from typing import Any

import pytest

from ragstone import CascadeJudge
from ragstone.errors import ProviderError, Unscored, UsageError
from ragstone.local.judge import LocalJudge
from ragstone.metrics import Faithfulness
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, ClaimsIn, SupportIn
from ragstone.prompt.criteria import ASPECT, AspectIn
from ragstone.prompt.equivalence import EQUIVALENCE, EquivalenceIn
from ragstone.prompt.items import to_items
from ragstone.tools.cascade import Shares
from ragstone.tools.recording import recording
from scripted import FakeEmbedder, FakeJudge, evaluate

ITEMS = to_items(["one", "two", "three", "four"])
LIST = SupportIn(items=ITEMS, contexts=["a context"])
ONE = EquivalenceIn(question="q", references=["r"], response="a")


def verdict(key: str, label: str, probability: float | None = None) -> dict[str, Any]:
    return {"id": key, "verdict": label, "probability": probability}


def weighed(*probabilities: float | None) -> dict[str, Any]:
    """Support verdicts on items 1, 2, ... with these probabilities."""
    return {
        "verdicts": [
            verdict(str(n), "supported" if (p or 0) >= 0.5 else "not_mentioned", p)
            for n, p in enumerate(probabilities, start=1)
        ]
    }


def all_contradicted(data: SupportIn) -> dict[str, Any]:
    return {"verdicts": [verdict(item.id, "contradicted", 0.99) for item in data.items]}


def cascade(local: Any, llm: Any, prompt: str = SUPPORT.id, **bounds: float) -> CascadeJudge:
    return CascadeJudge(FakeJudge({prompt: local}), FakeJudge({prompt: llm}), **bounds)


def asked(judge: Any) -> list[list[str]]:
    return [[item.id for item in data.items] for _, data in judge.asked]


async def test_only_the_unsure_items_of_a_list_are_asked_in_one_call():
    judge = cascade(weighed(0.9, 0.5, 0.1, None), all_contradicted)
    reply = await judge.ask(SUPPORT, LIST)
    assert [(v.id, v.verdict, v.probability) for v in reply.verdicts] == [
        ("1", "supported", 0.9),
        ("2", "contradicted", None),
        ("3", "not_mentioned", 0.1),
        ("4", "contradicted", None),
    ]
    assert asked(judge.llm) == [["2", "4"]]
    assert judge.shares == Shares(1, 1, 4, 2)


async def test_where_all_are_sure_the_llm_is_not_asked():
    judge = cascade(weighed(0.9, 0.95, 0.1, 0.0), RuntimeError("asked"))
    reply = await judge.ask(SUPPORT, LIST)
    assert [v.probability for v in reply.verdicts] == [0.9, 0.95, 0.1, 0.0]
    assert judge.shares == Shares(1, 0, 4, 0)


@pytest.mark.parametrize(
    ("bounds", "unsure"),
    [
        ({}, ["2", "3"]),
        ({"below": 0.3, "above": 0.3}, ["2"]),
        ({"below": 0.31, "above": 0.69}, []),
        ({"below": 0, "above": 1}, ["1", "2", "3", "4"]),
    ],
)
async def test_the_bounds_belong_to_what_is_unsure(bounds: dict[str, float], unsure: list[str]):
    judge = cascade(weighed(0.29, 0.3, 0.7, 0.71), all_contradicted, **bounds)
    await judge.ask(SUPPORT, LIST)
    assert asked(judge.llm) == ([unsure] if unsure else [])


async def test_the_llm_cannot_overrule_a_sure_verdict_or_bring_in_an_unknown_item():
    meddling = {"verdicts": [verdict(key, "contradicted") for key in ("1", " 2 ", "9")]}
    judge = cascade(weighed(0.9, 0.5, 0.9, 0.9), meddling)
    reply = await judge.ask(SUPPORT, LIST)
    assert [v.verdict for v in reply.verdicts] == ["supported", "contradicted"] + ["supported"] * 2


async def test_what_the_local_judge_leaves_out_is_asked_of_the_llm():
    torn = {"verdicts": [verdict("1", "supported", 0.9), verdict("1", "contradicted", 0.1)]}
    judge = cascade(torn, all_contradicted)
    await judge.ask(SUPPORT, LIST)
    assert asked(judge.llm) == [["1", "2", "3", "4"]]


async def test_what_the_llm_leaves_out_is_asked_for_again_and_nothing_else():
    """`verdicts` asks for the missing item, as it does with every judge."""

    def local(data: SupportIn) -> dict[str, Any]:
        sure = {"1": 0.9}
        return {"verdicts": [verdict(i.id, "supported", sure.get(i.id, 0.5)) for i in data.items]}

    first = {"verdicts": [verdict("2", "contradicted")]}
    again = {"verdicts": [verdict("3", "not_mentioned")]}
    judge = cascade(local, [first, again])
    found = await judge.verdicts(SUPPORT, ["one", "two", "three"], contexts=["c"])
    assert [v.verdict for v in found] == ["supported", "contradicted", "not_mentioned"]
    assert asked(judge.llm) == [["2", "3"], ["3"]]
    assert asked(judge.local) == [["1", "2", "3"], ["3"]]
    assert judge.shares == Shares(2, 2, 4, 3)


async def test_a_missing_verdict_of_the_llm_leaves_no_score():
    judge = cascade(weighed(0.9, 0.5), {"verdicts": []})
    with pytest.raises(Unscored) as caught:
        await judge.verdicts(SUPPORT, ["one", "two"], contexts=["c"])
    assert caught.value.code == "missing_verdicts"


@pytest.mark.parametrize(
    ("probability", "found"),
    [(0.9, ("equivalent", 0.9)), (0.5, ("different", None)), (None, ("different", None))],
)
async def test_a_single_verdict(probability: float | None, found: tuple[str, float | None]):
    local = {"verdict": "equivalent", "probability": probability}
    llm = {"verdict": "different", "probability": 0.01}
    judge = cascade(local, llm, EQUIVALENCE.id)
    reply = await judge.ask(EQUIVALENCE, ONE)
    assert (reply.verdict, reply.probability) == found
    assert judge.shares == Shares(1, int(found[1] is None), 1, int(found[1] is None))


async def test_an_answer_without_probability_goes_to_the_llm_whole():
    llm = {"refuses": False, "claims": ["b"]}
    judge = cascade({"refuses": False, "claims": ["a"]}, llm, EXTRACT_CLAIMS.id)
    assert (await judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="a"))).claims == ["b"]
    assert judge.shares == Shares(1, 1, 1, 1)


async def test_what_the_local_judge_cannot_answer_goes_to_the_llm_whole():
    judge = cascade(Unscored("needs_llm", "no"), all_contradicted)
    reply = await judge.ask(SUPPORT, LIST)
    assert [(v.verdict, v.probability) for v in reply.verdicts] == [("contradicted", None)] * 4
    assert judge.shares == Shares(1, 1, 4, 4)


async def test_another_reason_of_the_local_judge_is_its_answer():
    judge = cascade(Unscored("empty_text", "blank"), all_contradicted)
    with pytest.raises(Unscored) as caught:
        await judge.ask(SUPPORT, LIST)
    assert caught.value.code == "empty_text"
    assert judge.shares == Shares()


@pytest.mark.parametrize(
    "error",
    [Unscored("judge_refused", "no"), ProviderError("down", provider="p", kind="timeout")],
)
@pytest.mark.parametrize("local", [weighed(0.9, 0.5, 0.5, 0.9), Unscored("needs_llm", "no")])
async def test_errors_of_the_llm_are_raised_as_they_are(error: Exception, local: Any):
    judge = cascade(local, error)
    with pytest.raises(type(error)) as caught:
        await judge.ask(SUPPORT, LIST)
    assert caught.value is error
    assert judge.shares.questions_to_llm == 1


@pytest.mark.parametrize(
    ("below", "above"), [(0.7, 0.3), (-0.1, 0.5), (0.5, 1.1), (float("nan"), 0.5)]
)
def test_bounds_that_are_none(below: float, above: float):
    with pytest.raises(UsageError, match="0 <= below <= above <= 1"):
        cascade({}, {}, below=below, above=above)


def test_what_is_no_judge_is_named():
    with pytest.raises(UsageError, match="llm must be a judge, not 'gpt-4o-mini'"):
        CascadeJudge(FakeJudge({}), "gpt-4o-mini")  # type: ignore[arg-type]


def test_the_narrower_window_holds():
    assert cascade({}, {}).window is None
    judge = CascadeJudge(FakeJudge({}), FakeJudge({}, window=900))
    assert (judge.window, judge.max_items) == (900, 50)


def test_describe_holds_settings_and_no_counts():
    info = cascade({}, {}, below=0.2, above=0.8).describe()
    fake = {"kind": "fake", "name": "fake", "settings": {}}
    assert (info.kind, info.name) == ("cascade", "fake, then fake")
    assert info.settings == {"below": 0.2, "above": 0.8, "local": fake, "llm": fake}


async def test_the_recorded_calls_say_where_the_items_went():
    judge = cascade(weighed(0.9, 0.5, 0.1, None), all_contradicted)
    with recording() as calls:
        await judge.ask(SUPPORT, LIST)
    own = [call for call in calls if call.judge == judge.describe().name]
    assert [(call.prompt, call.output) for call in own] == [(SUPPORT.id, {"items": 4, "to_llm": 2})]
    assert [call.usage.calls for call in own] == [0]
    assert [call.judge for call in calls if call not in own] == ["fake", "fake"]


def test_counts_are_exact_from_many_threads():
    judge = cascade(lambda data: weighed(0.9, 0.5, 0.1, 0.5), all_contradicted)

    async def ask_often() -> None:
        await asyncio.gather(*(judge.ask(SUPPORT, LIST) for _ in range(50)))

    threads = [threading.Thread(target=asyncio.run, args=(ask_often(),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert judge.shares == Shares(400, 400, 1600, 800)


def test_a_report_of_a_run_says_how_often_the_llm_was_asked(tmp_path: Any):
    def local(data: Any) -> dict[str, Any]:
        return {"verdicts": [verdict(i.id, "supported", 0.99) for i in data.items[:1]]}

    claims = {"refuses": False, "claims": ["It is red.", "It is old."]}
    judge = CascadeJudge(
        FakeJudge({EXTRACT_CLAIMS.id: claims, SUPPORT.id: local}),
        FakeJudge({EXTRACT_CLAIMS.id: claims, SUPPORT.id: all_contradicted}),
    )
    rows = [
        {"user_input": "q", "response": f"{n}", "retrieved_contexts": [f"{n}"]} for n in range(2)
    ]
    result = evaluate(
        rows, [Faithfulness()], judge, FakeEmbedder(), store=False, show_progress=False
    )
    assert result.scores == [{"faithfulness": 0.5}] * 2
    said = "the LLM was asked for 4 of 6 answers (67 %)"  # claims: 1 of 1, support: 1 of 2
    for kind in ("html", "md"):
        page = tmp_path / kind
        result.report(kind, page)
        assert said in page.read_text(encoding="utf-8")
    assert judge.shares == Shares(4, 4, 6, 4)


async def test_the_real_local_judge_keeps_what_it_is_sure_of():
    llm = FakeJudge({SUPPORT.id: all_contradicted, ASPECT.id: {"reason": "", "verdict": "yes"}})
    judge = CascadeJudge(LocalJudge(), llm, below=0.2, above=0.5)
    text = "The bridge opened in 1932 and carries eight lanes. It is painted grey."
    data = SupportIn(items=to_items(["The bridge opened in 1932."]), contexts=[text])
    (found,) = (await judge.ask(SUPPORT, data)).verdicts
    assert (found.verdict, found.probability is not None, llm.asked) == ("supported", True, [])
    criterion = AspectIn(criterion="Is it toxic?", response="You fool.")
    assert (await judge.ask(ASPECT, criterion)).verdict == "yes"
    assert judge.shares == Shares(2, 1, 2, 1)

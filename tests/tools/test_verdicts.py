"""Verdicts over a list: the denominator is what was submitted, whatever comes back."""

import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import Unscored
from ragstone.prompt.claims import SUPPORT as CHECK
from ragstone.prompt.claims import SupportVerdict
from ragstone.prompt.items import ItemsIn, ItemVerdict, VerdictList, reconcile, to_items
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import Words
from ragstone.tools.judge import split_data
from scripted import SUPPORT, FakeJudge

Reply = Callable[[Any], dict[str, Any]]


def verdicts(*pairs: tuple[str, str]) -> dict[str, Any]:
    return {"verdicts": [{"id": key, "verdict": label} for key, label in pairs]}


def yes(*keys: str) -> dict[str, Any]:
    return verdicts(*((key, "supported") for key in keys))


async def ask(replies: Any, count: int = 5, **options: Any) -> tuple[list[str], FakeJudge]:
    judge = FakeJudge({SUPPORT: replies}, **options)
    texts = [f"claim {n}" for n in range(1, count + 1)]
    found = await judge.verdicts(CHECK, texts, contexts=["a context"])
    return [verdict.verdict for verdict in found], judge


def asked_ids(judge: FakeJudge) -> list[list[str]]:
    return [[item.id for item in data.items] for _, data in judge.asked]  # type: ignore[attr-defined]


async def test_one_verdict_an_item_in_the_order_of_the_items() -> None:
    reply = verdicts(("3", "not_mentioned"), ("1", "supported"), ("2", "contradicted"))
    found, judge = await ask([reply], 3)
    assert found == ["supported", "contradicted", "not_mentioned"]
    assert len(judge.asked) == 1


async def test_t01_only_the_missing_are_asked_for_again() -> None:
    """T01: five statements, one verdict: the four others are asked for, once, and no others."""
    found, judge = await ask([yes("1"), yes("2", "3", "4", "5")])
    assert found == ["supported"] * 5
    assert asked_ids(judge) == [["1", "2", "3", "4", "5"], ["2", "3", "4", "5"]]


async def test_t01_what_is_still_missing_leaves_no_score() -> None:
    """T01: a judge that will not answer for four of five statements makes no 1.0."""
    with pytest.raises(Unscored) as caught:
        await ask([yes("1"), verdicts()])
    assert caught.value.code == "missing_verdicts"
    assert "4 of 5 items" in caught.value.detail


async def test_t01_a_third_time_nobody_is_asked() -> None:
    judge = FakeJudge({SUPPORT: lambda data: verdicts()})
    with pytest.raises(Unscored):
        await judge.verdicts(CHECK, ["a"], contexts=["c"])
    assert len(judge.asked) == 2


async def test_ids_that_were_not_submitted_are_dropped() -> None:
    found, _ = await ask([yes("1", "2", "3", "7", "0", "", "claim 1")], 3)
    assert found == ["supported"] * 3


async def test_an_id_with_space_around_is_the_id() -> None:
    found, _ = await ask([yes(" 1", "2 ")], 2)
    assert found == ["supported"] * 2


async def test_two_verdicts_that_agree_are_one() -> None:
    found, judge = await ask([yes("1", "1", "2")], 2)
    assert found == ["supported"] * 2
    assert len(judge.asked) == 1


async def test_two_verdicts_that_disagree_are_none_and_asked_for_again() -> None:
    torn = verdicts(("1", "supported"), ("1", "contradicted"), ("2", "supported"))
    found, judge = await ask([torn, verdicts(("1", "not_mentioned"))], 2)
    assert found == ["not_mentioned", "supported"]
    assert asked_ids(judge) == [["1", "2"], ["1"]]


async def test_three_verdicts_of_which_the_last_agrees_with_the_first_are_still_torn() -> None:
    torn = verdicts(("1", "supported"), ("1", "contradicted"), ("1", "supported"))
    with pytest.raises(Unscored):
        await ask([torn, torn], 1)


async def test_a_second_answer_cannot_overturn_the_first() -> None:
    second = verdicts(("1", "contradicted"), ("2", "supported"))
    found, _ = await ask([yes("1"), second], 2)
    assert found == ["supported", "supported"]


@pytest.mark.parametrize(("count", "sizes"), [(50, [50]), (51, [50, 1]), (120, [50, 50, 20])])
async def test_long_lists_are_asked_in_batches(count: int, sizes: list[int]) -> None:
    found, judge = await ask(lambda data: yes(*(item.id for item in data.items)), count)
    assert len(found) == count
    assert [len(ids) for ids in asked_ids(judge)] == sizes


async def test_nothing_to_judge_asks_nobody() -> None:
    found, judge = await ask([], 0)
    assert (found, judge.asked) == ([], [])


@given(st.data())
async def test_whatever_comes_back_the_length_is_ours(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 8))
    label = st.sampled_from(["supported", "contradicted", "not_mentioned"])
    key = st.integers(0, 10).map(str)
    reply = st.lists(st.tuples(key, label), max_size=20).map(lambda pairs: verdicts(*pairs))
    judge = FakeJudge({SUPPORT: lambda _: data.draw(reply)})
    found: Any = None
    with contextlib.suppress(Unscored):  # then verdicts are missing still
        found = await judge.verdicts(CHECK, [str(n) for n in range(count)], contexts=["c"])
    wanted = [str(n + 1) for n in range(count)]
    assert found is None or [verdict.id.strip() for verdict in found] == wanted
    assert len(judge.asked) <= 2


@given(
    st.lists(st.tuples(st.integers(0, 5).map(str), st.sampled_from(["supported", "contradicted"])))
)
def test_reconciled_verdicts_are_submitted_and_unanimous(pairs: list[tuple[str, str]]) -> None:
    items = to_items(["a", "b", "c"])
    given_verdicts = [SupportVerdict(id=key, verdict=label) for key, label in pairs]  # type: ignore[arg-type]
    found = reconcile(items, given_verdicts)
    for key in ("1", "2", "3"):
        said = {label for other, label in pairs if other == key}
        assert (key in found) == (len(said) == 1)
    assert set(found) <= {"1", "2", "3"}


LONG = ["alpha " * 60, "beta " * 70, "gamma " * 50]


async def test_t87_data_beyond_the_window_are_judged_in_parts_and_combined() -> None:
    """T87: no question is longer than the judge reads; supported by any part is supported."""

    def reply(data: Any) -> dict[str, Any]:
        held = " ".join(data.contexts)
        return verdicts(
            *(
                (item.id, "supported" if item.text in held else "not_mentioned")
                for item in data.items
            )
        )

    judge = FakeJudge({SUPPORT: reply}, window=300)
    texts = ["alpha", "beta", "gamma", "delta"]
    found = await judge.verdicts(CHECK, texts, contexts=LONG)
    assert [v.verdict for v in found] == ["supported"] * 3 + ["not_mentioned"]
    assert len(judge.asked) > 3
    for _, data in judge.asked:
        asked: Any = data
        assert sum(map(len, asked.contexts)) + sum(len(i.text) for i in asked.items) <= 300
        assert [item.text for item in asked.items] == texts


async def test_t87_many_long_items_are_spread_over_questions_that_fit() -> None:
    """T87: the items count against the window too."""
    judge = FakeJudge({SUPPORT: lambda data: yes(*(item.id for item in data.items))}, window=2_000)
    texts = [f"claim {n} " + "x" * 290 for n in range(40)]
    found = await judge.verdicts(CHECK, texts, contexts=["y" * 1_500, "z" * 1_500])
    assert len(found) == 40
    for _, data in judge.asked:
        asked: Any = data
        assert sum(map(len, asked.contexts)) + sum(len(i.text) for i in asked.items) <= 2_000


async def test_a_part_without_verdict_leaves_the_item_without_one() -> None:
    def reply(data: Any) -> dict[str, Any]:
        return verdicts() if "gamma" in data.contexts[0] else yes("1")

    judge = FakeJudge({SUPPORT: reply}, window=300)
    with pytest.raises(Unscored, match="missing_verdicts"):
        await judge.verdicts(CHECK, ["claim"], contexts=LONG)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["not_mentioned", "supported"], "supported"),
        (["contradicted", "supported"], "supported"),
        (["not_mentioned", "contradicted"], "contradicted"),
        (["not_mentioned", "not_mentioned"], "not_mentioned"),
    ],
)
def test_how_verdicts_on_parts_are_combined(parts: list[Any], whole: str) -> None:
    given_verdicts = [SupportVerdict(id="1", verdict=label) for label in parts]
    assert SupportVerdict.combine(given_verdicts).verdict == whole
    assert SupportVerdict.combine(given_verdicts[::-1]).verdict == whole


async def test_what_cannot_be_split_is_too_long_and_never_cut_off() -> None:
    prompt = Prompt("own/whole", ItemsIn, VerdictList[ItemVerdict], own_words=Words("1", "Judge."))
    with pytest.raises(Unscored) as caught:
        await FakeJudge({}, window=10).verdicts(prompt, ["a long, long claim"])
    assert caught.value.code == "too_long"


def test_data_within_the_window_stay_whole() -> None:
    shared = {"contexts": ["abc", "def"], "question": None}
    assert list(split_data("contexts", shared, 6)) == [shared]
    assert list(split_data("contexts", shared, None)) == [shared]


@given(
    lengths=st.lists(st.integers(0, 300), min_size=1, max_size=6),
    question=st.text(max_size=30),
    window=st.integers(1, 200),
)
def test_splitting_loses_no_character_and_keeps_to_the_window(
    lengths: list[int], question: str, window: int
) -> None:
    numbers = iter(range(0x4E00, 0x9000))  # every character stands once, so that none can hide
    texts = ["".join(chr(next(numbers)) for _ in range(length)) for length in lengths]
    parts: list[dict[str, Any]] = []
    with contextlib.suppress(Unscored):
        parts = list(split_data("contexts", {"contexts": texts, "question": question}, window))
    if not parts:
        assert len(question) * 4 > window * 3  # the question alone fills the window
        return
    pieces = [piece for part in parts for piece in part["contexts"]]
    assert all(part["question"] == question for part in parts)
    assert all(sum(map(len, part["contexts"])) + len(question) <= window for part in parts)
    seen = "".join(dict.fromkeys("".join(pieces)))
    assert seen == "".join(texts)
    assert all(any(piece in text for text in texts) for piece in pieces)


def test_neighbors_overlap_by_a_tenth_so_that_a_sentence_at_a_cut_stands_whole() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(1000))
    parts = [part["contexts"][0] for part in split_data("contexts", {"contexts": [text]}, 200)]
    assert all(len(part) <= 200 for part in parts)
    assert all(a[-20:] == b[:20] for a, b in itertools.pairwise(parts))

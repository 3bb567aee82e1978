"""The sums and steps that metrics share."""

import asyncio
import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import Unscored, UsageError
from ragstone.metrics import ToolCallF1
from ragstone.metrics._counts import f_beta, precision, recall
from ragstone.metrics._ranks import average_precision
from ragstone.metrics._spans import find_quote, locate_claim
from ragstone.metrics._template import placeholders, point_at_blocks
from ragstone.metrics._together import together
from ragstone.metrics._votes import majority
from scripted import call, dialogue

flags = st.lists(st.booleans(), max_size=12)


@given(flags)
def test_average_precision_is_the_mean_of_the_precisions_at_the_hits(relevant: list[bool]) -> None:
    at = [sum(relevant[: k + 1]) / (k + 1) for k, hit in enumerate(relevant) if hit]
    expected = sum(at) / len(at) if at else 0.0
    assert average_precision(relevant) == pytest.approx(expected, abs=1e-12)
    assert 0.0 <= average_precision(relevant) <= 1.0


@given(flags)
def test_average_precision_is_best_when_the_hits_come_first(relevant: list[bool]) -> None:
    best = sorted(relevant, reverse=True)
    assert average_precision(best) == (1.0 if any(relevant) else 0.0)
    assert average_precision(relevant) <= average_precision(best)


counts = st.integers(0, 50)


@given(tp=counts, fp=counts, fn=counts, beta=st.floats(0.1, 10))
def test_f_beta_lies_between_precision_and_recall(tp: int, fp: int, fn: int, beta: float) -> None:
    p, r = precision(tp, fp), recall(tp, fn)
    value = f_beta(p, r, beta)
    if p and r:
        assert min(p, r) - 1e-12 <= value <= max(p, r) + 1e-12
    else:
        assert value == 0.0
    if tp + fp + fn:
        assert f_beta(p, r) == pytest.approx(2 * tp / (2 * tp + fp + fn))


names = st.lists(st.sampled_from("abc"), max_size=5)


@given(made=names, expected=names, data=st.data())
def test_tool_call_f1_counts_multisets_in_any_order(
    made: list[str], expected: list[str], data: st.DataObject
) -> None:
    mixed = data.draw(st.permutations(made))
    reference = [call(name) for name in expected]

    def score(order: list[str]) -> Any:
        talk = dialogue(*map(call, order)).user_input
        return ToolCallF1().measure(talk, reference).value

    both = (Counter(made) & Counter(expected)).total()
    total = len(made) + len(expected)
    assert score(made) == pytest.approx(2 * both / total if total else 1.0)
    assert score(mixed) == score(made)


def test_arguments_match_in_any_order_and_script() -> None:
    talk = dialogue(call("f", b="größe", a={"y": 1, "x": [1, 2]})).user_input
    same, other = call("f", a={"x": [1, 2], "y": 1}, b="größe"), call("f", a={"x": [2, 1]}, b="")
    assert ToolCallF1().measure(talk, [same]).value == 1.0
    assert ToolCallF1().measure(talk, [other]).value == 0.0
    with pytest.raises(UsageError, match="needs a conversation"):
        ToolCallF1().measure("a question", [same])


@given(st.lists(st.sampled_from("xyz"), min_size=1, max_size=9))
def test_the_majority_is_the_most_frequent_and_a_tie_is_none(labels: list[str]) -> None:
    counted = Counter(labels).most_common()
    if len(counted) > 1 and counted[0][1] == counted[1][1]:
        with pytest.raises(Unscored, match="tie"):
            majority(labels)
        return
    vote = majority(labels)
    assert (vote.label, vote.agreement) == (counted[0][0], counted[0][1] / len(labels))


@given(text=st.text(max_size=80), data=st.data())
def test_a_claim_in_the_words_of_the_text_is_found_there(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    claim = text[start : data.draw(st.integers(start, len(text)))]
    for span in locate_claim(claim, "response", text):
        assert 0 <= span.start <= span.end <= len(text)
        assert not claim or text[span.start : span.end] == claim
    if claim:
        assert locate_claim(claim, "response", text)


def test_a_claim_in_other_words_points_at_the_sentence_that_shares_most() -> None:
    text = "The tower is in Paris. It is 330 metres high. Many visit it."
    (span,) = locate_claim("The tower is 330 metres high", "response", text)
    assert text[span.start : span.end] == "It is 330 metres high."
    assert locate_claim("Unrelated words entirely", "response", text) == ()


@given(quote=st.text(max_size=30), texts=st.lists(st.text(max_size=60), max_size=3))
def test_a_quote_points_into_its_text(quote: str, texts: list[str]) -> None:
    for span in find_quote(quote, "retrieved_contexts", texts):
        assert span.index is not None
        assert 0 <= span.start < span.end <= len(texts[span.index])


def test_a_quote_is_found_whatever_its_case_and_white_space() -> None:
    texts = ["nothing here", "It closes\n  at 22:00 (daily)."]
    (span,) = find_quote("closes AT 22:00 (daily)", "retrieved_contexts", texts)
    assert (span.index, texts[1][span.start : span.end]) == (1, "closes\n  at 22:00 (daily)")
    (plain,) = find_quote("closes at", "reference", texts[1])
    assert (plain.index, plain.field) == (None, "reference")
    assert find_quote("", "reference", texts) == ()


def test_placeholders_are_the_inputs_and_data_never_become_words() -> None:
    template = "Is {response} fine for {user_input}? {{json}} {response}"
    assert placeholders(template) == ("response", "user_input")
    assert point_at_blocks(template) == "Is [response] fine for [user_input]? {json} [response]"


@pytest.mark.parametrize("template", ["{", "}", "{a", "{}", "{0}", "{a.b}", "{a[0]}", "{a b}"])
def test_placeholders_that_are_no_plain_names_are_refused(template: str) -> None:
    with pytest.raises(UsageError, match="brace"):
        placeholders(template)


async def test_together_waits_for_all_and_raises_the_worst() -> None:
    ended: list[int] = []

    async def work(number: int, error: Exception | None = None) -> int:
        await asyncio.sleep(number / 200)
        ended.append(number)
        if error:
            raise error
        return number

    assert await together(work(n) for n in (2, 0, 1)) == [2, 0, 1]
    for order in itertools.permutations([Unscored("truncated"), ValueError("broke")]):
        ended.clear()
        with pytest.raises(ValueError, match="broke"):
            await together([work(0, order[0]), work(1, order[1]), work(2)])
        assert ended == [0, 1, 2]
    with pytest.raises(Unscored, match="1 of 2 without answer: cut") as caught:
        await together([work(0, Unscored("truncated", "cut")), work(1)])
    assert caught.value.code == "truncated"
    assert await together([]) == []

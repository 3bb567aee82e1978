from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_questions import Claims, ItemLabel, Score, Verdict
from pydantic import BaseModel

from ragstone.llms.repair import Misfit, parse, parse_whole
from ragstone.prompt.items import VerdictList

List = VerdictList[ItemLabel]


class Number(BaseModel):
    score: float


def test_T16_the_last_object_that_fits_wins_over_the_first_bracket():
    assert parse('Context [1] says so. {"verdict": "yes"}', Verdict).output.verdict == "yes"


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "no"} final: {"verdict": "yes"}',
        "{\"verdict\": \"no\"} final: {'verdict': 'yes'}",
        "{'verdict': 'no'}\nOn second thought:\n```json\n{\"verdict\": \"yes\"}\n```",
        '<think>{"verdict": "no"}</think>{"verdict": "yes",}',
    ],
)
def test_T18_the_final_verdict_counts_not_the_preliminary_one(text):
    assert parse(text, Verdict).output.verdict == "yes"


T19 = {
    "braces in prose before": 'With {braces} and {more}: {"verdict": "yes", "reason": "r"}',
    "braces in prose after": '{"verdict": "yes", "reason": "r"} as {shown} above',
    "two objects": '{"verdict": "no", "reason": "q"}\n{"verdict": "yes", "reason": "r"}',
    "single quotes": "{'verdict': 'yes', 'reason': 'r'}",
    "Python literals": "{'verdict': 'yes', 'reason': 'r', 'sure': True, 'other': None}",
    "raw newline in a string": '{"verdict": "yes", "reason": "r\nr"}',
    "bad escape": '{"verdict": "yes", "reason": "50\\% r"}',
    "truncated": '{"verdict": "yes", "reason": "r", "note": "and th',
    "fenced": 'Here:\n```json\n{"verdict": "yes", "reason": "r",}\n```\nDone.',
}


@pytest.mark.parametrize("shape", T19)
def test_T19_each_broken_shape_is_read(shape):
    found = parse(T19[shape], Verdict)
    assert found.repaired
    assert found.output.verdict == "yes"
    assert found.output.reason.replace("50\\% ", "").replace("\n", "") in ("r", "rr")


def test_T19_a_bare_list_is_the_one_list_of_the_form():
    text = '[{"id": "1", "verdict": "supported"}, {"id": "2", "verdict": "unsupported"}]'
    assert [v.id for v in parse(text, List).output.verdicts] == ["1", "2"]


def test_T19_a_truncated_list_gives_its_whole_items_and_guesses_none():
    text = '{"verdicts": [{"id": "1", "verdict": "supported"}, {"id": "2", "verdict": "unsu'
    assert [v.id for v in parse(text, List).output.verdicts] == ["1"]


def test_a_truncated_list_without_ids_is_no_answer():
    with pytest.raises(Misfit):
        parse('{"claims": ["one", "two is tr', Claims)
    with pytest.raises(Misfit):
        parse('{"claims": ["one", ', Claims)


def test_a_list_whose_object_only_lacks_its_brace_is_whole():
    assert parse('{"claims": ["one", "two"]', Claims).output.claims == ["one", "two"]


def test_items_one_a_line_are_a_list():
    text = '{"id": "1", "verdict": "supported"}\n{"id": "2", "verdict": "supported"}'
    assert [v.id for v in parse(text, List).output.verdicts] == ["1", "2"]


def test_T21_valid_json_is_never_touched():
    text = '{"verdict": "yes", "reason": "a list [1, 2, ] and {x, } and \'quotes\' and True"}'
    found = parse(text, Verdict)
    assert not found.repaired
    assert found.output.reason == json.loads(text)["reason"]


@pytest.mark.parametrize(
    "text",
    [
        "Score: -1",
        "Criteria 1: met. Criteria 2: met. Score: 3",
        "2 of 3 claims supported, so 3",
        "Score: 2.5",
        '{"score": 2.5}',
        '{"score": -1}',
        '{"score": 9}',
        '{"score": 3 out of 5}',
        '{"score": 3/5}',
        '{"score": ~3}',
        '{"score": 3%}',
        '{"score": >3}',
        '{"score": 1 or 2}',
        '{"score": 1,500}',
        '{"score": three}',
        '{"score": 1',
        "[3]",
        "3",
    ],
)
def test_T22_no_number_is_taken_from_prose_or_from_out_of_range(text):
    with pytest.raises(Misfit):
        parse(text, Score)


@pytest.mark.parametrize(
    "text", ['```json\n{"score": 3}\n```', '```\n{"score": 3}', '{"score": 3}"', '{"score": 3,}']
)
def test_T33_fences_and_trailing_quotes_do_not_matter(text):
    assert parse(text, Score).output.score == 3


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_refused(number):
    with pytest.raises(Misfit):
        parse(f'{{"score": {number}}}', Number)
    with pytest.raises(Misfit):
        parse(f"{{'score': {number},}}", Number)


def test_nan_as_a_word_of_a_text_is_a_text():
    assert parse_whole('{"claims": ["NaN is no number"]}', Claims).claims == ["NaN is no number"]


def test_half_a_surrogate_is_no_text():
    with pytest.raises(Misfit):
        parse('{"verdict": "yes", "reason": "\\ud83d"}', Verdict)


def test_an_empty_object_in_prose_does_not_stand_for_defaults():
    class AllOptional(BaseModel):
        note: str = "none"

    with pytest.raises(Misfit):
        parse("nothing {} here", AllOptional)


def test_the_message_says_what_is_wrong_with_the_object_that_was_found():
    with pytest.raises(Misfit, match="verdict: Input should be 'yes' or 'no'"):
        parse('I say: {"verdict": "maybe"}', Verdict)


def test_a_wrapped_answer_is_found():
    assert parse('{"result": {"answer": {"score": 2}}}', Score).output.score == 2


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=60))
def test_any_valid_answer_comes_back_as_it_is(reason, before, after):
    whole = json.dumps({"verdict": "yes", "reason": reason}, ensure_ascii=False)
    if not _surrogates(reason):
        assert parse(whole, Verdict).output.reason == reason
    prose = before.translate({ord(c): " " for c in "{}[]\"'`"})
    after = after.translate({ord(c): " " for c in "{}[]\"'`"})
    if not _surrogates(reason):
        assert parse(prose + whole + after, Verdict).output.reason == reason


def _surrogates(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


@given(st.text(alphabet="{}[]\"':,0123 abverdictyesno\\\n`", max_size=300))
def test_no_text_breaks_the_ladder_or_gives_what_the_form_forbids(text):
    for form in (Verdict, Score, Claims, List, Number):
        try:
            output = parse(text, form).output
        except Misfit:
            continue
        assert form.model_validate_json(output.model_dump_json()) == output


@given(
    st.lists(st.sampled_from(["supported", "unsupported"]), min_size=1, max_size=6),
    st.integers(0, 400),
)
def test_a_cut_never_changes_a_verdict(labels, cut):
    verdicts = [{"id": str(n), "verdict": label} for n, label in enumerate(labels)]
    text = json.dumps({"verdicts": verdicts})[: max(1, cut)]
    try:
        found = parse(text, List).output.verdicts
    except Misfit:
        return
    assert [v.model_dump(include={"id", "verdict"}) for v in found] == verdicts[: len(found)]

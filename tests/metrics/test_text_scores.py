"""BLEU, ROUGE and chrF: published values, all scripts, and what they must always hold."""

import itertools
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import MissingExtra, UsageError
from ragstone.metrics import (
    BleuScore,
    CHRFScore,
    ExactMatch,
    Metric,
    NonLLMStringSimilarity,
    RougeScore,
    StringPresence,
)
from ragstone.metrics.text._words import spread, words

REF, RESP = "The Eiffel Tower is located in Paris.", "The Eiffel Tower is located in India."
ROUGE1 = {"rouge_type": "rouge1"}
SCORES = [BleuScore(), RougeScore(), RougeScore(**ROUGE1), CHRFScore()]
every = pytest.mark.parametrize("metric", SCORES, ids=lambda m: m.key)
every_text = pytest.mark.parametrize("metric", [*SCORES, NonLLMStringSimilarity()], ids=str)


def number(metric: Metric, reference: str, response: str) -> float:
    value = metric.score(reference=reference, response=response).value
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        pytest.param(BleuScore(), 0.7071067811865478, id="A4"),
        pytest.param(BleuScore(kwargs={"smooth_method": "exp"}), 0.7071067811865478, id="A5"),
        pytest.param(RougeScore(), 0.8571428571428571, id="A6"),
        pytest.param(RougeScore(**ROUGE1), 0.8571428571428571, id="A7 rouge1"),
        pytest.param(RougeScore(**ROUGE1, mode="recall"), 0.8571428571428571, id="A7 recall"),
        pytest.param(RougeScore(mode="precision"), 0.8571428571428571, id="A7 precision"),
        pytest.param(CHRFScore(), 0.8048420145750512, id="A8"),
        pytest.param(
            CHRFScore(kwargs={"char_order": 4, "word_order": 2}), 0.8118882091212458, id="A9 orders"
        ),
        pytest.param(CHRFScore(kwargs={"beta": 3}), 0.8048420145750512, id="A9 beta"),
    ],
)
def test_a4_to_a9_published_values(metric: Metric, value: float) -> None:
    assert number(metric, REF, RESP) == pytest.approx(value, abs=1e-12)


LANGUAGES = {
    "Chinese": ("埃菲尔铁塔位于巴黎。", "埃菲尔铁塔位于印度。", "今天气温很高！"),
    "Japanese": ("エッフェル塔はパリにあります。", "エッフェル塔はインドにあります。", "猫が好き"),
    "Arabic": ("يقع برج إيفل في باريس.", "يقع برج إيفل في الهند.", "أحب القطط كثيرا"),
    "Hindi": ("एफिल टॉवर पेरिस में है।", "एफिल टॉवर भारत में है।", "मुझे चाय पसंद"),
    "German": (
        "Der Eiffelturm steht in Köln.",
        "Der Eiffelturm steht in Paris.",
        "Ich mag Käse",
    ),
    "Thai": ("หอไอเฟลตั้งอยู่ในปารีส", "หอไอเฟลตั้งอยู่ในอินเดีย", "ฉันชอบแมวมาก"),
    "Korean": ("에펠탑은 파리에 있습니다.", "에펠탑은 인도에 있습니다.", "고양이를 좋아해요"),
}
languages = pytest.mark.parametrize("texts", LANGUAGES.values(), ids=LANGUAGES.keys())


@every
@languages
def test_t79_text_in_any_script_is_compared(metric: Metric, texts: tuple[str, str, str]) -> None:
    """T79: no script scores 0 for a text that shares most of its words, and none is lost."""
    reference, near, far = texts
    assert number(metric, reference, reference) == 1.0
    assert 0.3 < number(metric, reference, near) < 1.0
    assert number(metric, reference, far) < number(metric, reference, near)


def test_t79_only_english_words_are_stemmed() -> None:
    """T79: the English stemmer leaves other languages alone."""
    assert number(RougeScore(), "he walks", "he walked") == 1.0
    assert number(RougeScore(), "er spielte für andere", "er spieled für andere") == 0.75


def test_t79_bleu_reads_all_sentences() -> None:
    """T79: several sentences are one text; the second one counts."""
    first = "The tower stands in Paris, near the river."
    texts = [f"{first} It is {what}." for what in ("made of iron and very old", "a green big toy")]
    assert number(BleuScore(), texts[0], texts[0]) == 1.0
    assert number(BleuScore(), texts[0], texts[1]) < 0.8
    assert number(BleuScore(), f"{texts[0]} And more.", texts[0]) < 1.0
    assert number(BleuScore(), texts[0], f"{texts[0]} And more.") < 1.0
    assert number(BleuScore(), "Ja. Nein. Doch.", "Ja. Nein.") < number(
        BleuScore(), "Ja. Nein. Doch.", "Ja. Nein. Doch."
    )


ascii_texts = st.text(st.sampled_from("abAB 19.,'_-\n"), max_size=40)


@given(reference=ascii_texts, response=ascii_texts)
@pytest.mark.parametrize("rouge_type", ["rouge1", "rougeL"])
def test_rouge_of_plain_english_is_that_of_rouge_score(
    rouge_type: Any, reference: str, response: str
) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    theirs = RougeScorer([rouge_type], use_stemmer=True).score(reference, response)[rouge_type]
    for mode in ("precision", "recall", "fmeasure"):
        result = RougeScore(rouge_type=rouge_type, mode=mode).score(
            reference=reference, response=response
        )
        if result.status == "scored":
            assert result.value == pytest.approx(getattr(theirs, mode), abs=1e-12)


@given(ascii_texts)
def test_a_text_in_ascii_is_left_as_it_is(text: str) -> None:
    assert spread(text) == text


@given(st.text())
def test_words_stand_where_they_say_and_none_is_lost(text: str) -> None:
    found = words(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert all(text[w.start : w.end].strip() for w in found)
    covered = {at for word in found for at in range(word.start, word.end)}
    assert {at for at, char in enumerate(text) if char.isalnum()} <= covered


@every_text
@given(reference=st.text(max_size=60), response=st.text(max_size=60))
def test_any_two_texts_give_a_value_in_range(metric: Metric, reference: str, response: str) -> None:
    result = metric.score(reference=reference, response=response)
    assert result.status in ("scored", "unscored")
    if result.status == "scored":
        assert 0.0 <= float(result) <= 1.0
    for piece in result.evidence:
        ours, theirs = piece.spans
        assert response[ours.start : ours.end] == piece.text
        assert [w.text for w in words(reference[theirs.start : theirs.end])] == [
            w.text for w in words(piece.text)
        ]


@every_text
@given(text=st.text(max_size=60))
def test_a_text_is_wholly_like_itself(metric: Metric, text: str) -> None:
    result = metric.score(reference=text, response=text)
    assert result.value in (1.0, None)
    if result.value is None:
        assert result.code == ("no_reference" if not text.strip() else "not_applicable")


def test_short_answers_are_not_zero() -> None:
    for text in ("Paris", "42", "是", "New York", "👍"):
        assert number(BleuScore(), text, text) == 1.0
    assert RougeScore().score(reference="?!", response="?!").code == "not_applicable"


def test_the_evidence_points_at_what_both_texts_say() -> None:
    result = RougeScore().score(reference=REF, response="The tall Eiffel Tower is in Paris.")
    assert [piece.text for piece in result.evidence] == ["The", "Eiffel Tower is", "in Paris"]
    assert {piece.verdict for piece in result.evidence} == {"shared"}


def test_white_space_and_long_texts_do_no_harm() -> None:
    long = "the cat sat on a mat " * 2_000
    for metric in SCORES:
        assert number(metric, long, long) == 1.0
        assert 0.0 <= number(metric, long, "a dog and a cat " * 2_000) < 1.0


def test_a_tokenizer_of_the_users_choice_sees_the_text_as_it_is() -> None:
    reference, near, _ = LANGUAGES["Chinese"]
    assert number(BleuScore(kwargs={"tokenize": "none"}), reference, near) == 0.0
    assert number(BleuScore(kwargs={"tokenize": "zh"}), reference, near) > 0.5


def test_options_are_checked_when_the_metric_is_made() -> None:
    with pytest.raises(UsageError, match=r"'bleu_score': kwargs .*smooth_methode"):
        BleuScore(kwargs={"smooth_methode": "exp"})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(UsageError, match=r"'chrf_score': kwargs .*char_order.*greater than"):
        CHRFScore(kwargs={"char_order": 0})
    with pytest.raises(UsageError, match="mode must be one of fmeasure, precision, recall"):
        RougeScore(mode="f1")  # type: ignore[arg-type]
    assert BleuScore(kwargs={}) == BleuScore()
    assert hash(BleuScore(kwargs={"force": True}))


@pytest.mark.parametrize(
    ("metric", "package"),
    [
        (BleuScore(), "sacrebleu"),
        (CHRFScore(), "sacrebleu"),
        (RougeScore(), "rouge_score"),
        (NonLLMStringSimilarity(), "rapidfuzz"),
    ],
    ids=lambda v: v if isinstance(v, str) else v.key,
)
def test_an_absent_package_is_named(
    metric: Metric, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[text\]'"):
        metric.score(reference="a", response="b")


def test_exact_match_and_presence_compare_characters_in_any_script() -> None:
    for reference, near, _ in LANGUAGES.values():
        assert number(ExactMatch(), reference, reference) == 1.0
        assert number(ExactMatch(), reference, near) == 0.0
        assert number(StringPresence(), reference, f"«{reference}»") == 1.0
        assert number(StringPresence(), reference, near) == 0.0

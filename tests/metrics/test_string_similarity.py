"""String similarity: published values, all scripts, and what it must always hold."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.metrics import DistanceMeasure, NonLLMStringSimilarity, catalogue
from ragstone.metrics._similarity import string_similarity
from ragstone.metrics.base import snake_case

REF, RESP = "The Eiffel Tower is located in Paris.", "The Eiffel Tower is located in India."
measures = pytest.mark.parametrize("measure", DistanceMeasure)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("levenshtein", 0.8918918918918919),
        ("hamming", 0.8918918918918919),
        ("jaro", 0.9361420243773185),
        ("jaro_winkler", 0.9616852146263911),
    ],
)
def test_a1_to_a3_published_values(measure: str, value: float) -> None:
    metric = NonLLMStringSimilarity(distance_measure=DistanceMeasure(measure))
    assert metric.score(reference=REF, response=RESP).value == pytest.approx(value, abs=1e-12)


def test_the_default_is_levenshtein() -> None:
    assert NonLLMStringSimilarity().score(reference=REF, response=RESP).value == pytest.approx(
        0.8918918918918919, abs=1e-12
    )


@measures
@given(first=st.text(), second=st.text())
def test_it_is_a_similarity(measure: DistanceMeasure, first: str, second: str) -> None:
    value = string_similarity(first, second, measure)
    assert 0.0 <= value <= 1.0
    assert string_similarity(first, first, measure) == 1.0
    assert value == pytest.approx(string_similarity(second, first, measure), abs=1e-12)
    composed = unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second)
    assert (value == 1.0) is composed


@measures
@pytest.mark.parametrize(
    ("near", "far", "reference"),
    [
        ("埃菲尔铁塔位于印度。", "今天天气很好。", "埃菲尔铁塔位于巴黎。"),
        ("エッフェル塔はインドにあります。", "猫が好きです。", "エッフェル塔はパリにあります。"),
        ("يقع برج إيفل في الهند.", "أحب القطط كثيرا.", "يقع برج إيفل في باريس."),
        ("एफिल टॉवर भारत में है।", "मुझे चाय पसंद नहीं।", "एफिल टॉवर पेरिस में है।"),
        ("Der Eiffelturm steht in Köln.", "Ich mag Käse.", "Der Eiffelturm steht in Paris."),
    ],
    ids=["Chinese", "Japanese", "Arabic", "Hindi", "German"],
)
def test_the_nearer_text_scores_higher_in_any_script(
    measure: DistanceMeasure, near: str, far: str, reference: str
) -> None:
    metric = NonLLMStringSimilarity(distance_measure=measure)
    high = metric.score(reference=reference, response=near).value
    low = metric.score(reference=reference, response=far).value
    assert isinstance(high, float)
    assert isinstance(low, float)
    assert low < high < 1.0


def test_an_accent_typed_apart_is_no_difference() -> None:
    assert string_similarity("Cafe\u0301", "Café") == 1.0


def test_the_measure_survives_spec_and_text() -> None:
    metric = NonLLMStringSimilarity(distance_measure=DistanceMeasure.JARO)
    assert metric.key == "non_llm_string_similarity(distance_measure=jaro)"
    assert catalogue.build("non_llm_string_similarity:distance_measure=jaro") == metric
    with pytest.raises(UsageError, match="levenshtein, hamming, jaro, jaro_winkler, not 'euclid'"):
        NonLLMStringSimilarity(distance_measure="euclid")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        ("CHRFScore", "chrf_score"),
        ("IDBasedContextRecall", "id_based_context_recall"),
        ("NonLLMStringSimilarity", "non_llm_string_similarity"),
        ("SQLSemanticEquivalence", "sql_semantic_equivalence"),
        ("ToolCallF1", "tool_call_f1"),
    ],
)
def test_capitals_in_a_row_are_one_word_of_a_name(class_name: str, name: str) -> None:
    assert snake_case(class_name) == name

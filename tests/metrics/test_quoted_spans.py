"""Quotations: which are found in a response, and which in the contexts."""

import time
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.metrics import MetricResult, QuotedSpansAlignment
from ragstone.metrics.rag._quotes import Folded, quotations


def aligned(response: str, *contexts: str, **options: Any) -> MetricResult:
    result = QuotedSpansAlignment(**options).score(
        response=response, retrieved_contexts=list(contexts)
    )
    for piece in result.evidence:
        assert response[piece.spans[0].start : piece.spans[0].end] == piece.text
    return result


def test_a29_the_documented_example() -> None:
    context = 'It says: "Machine learning models improve accuracy by 15%."'
    result = aligned('The study found that "machine learning models improve accuracy".', context)
    assert result.value == 1.0
    ((evidence,), (here, there)) = result.evidence, result.evidence[0].spans
    assert evidence.verdict == "present"
    assert (here.field, there.field, there.index) == ("response", "retrieved_contexts", 0)
    assert context[there.start : there.end] == "Machine learning models improve accuracy"


def test_each_quotation_counts_and_the_missing_one_is_marked() -> None:
    response = 'It "is not a bird" and “can not fly at all”, but "swims very well".'
    result = aligned(response, "nothing", "It is not a bird.", "It swims very well.")
    assert result.value == pytest.approx(2 / 3)
    assert [piece.verdict for piece in result.evidence] == ["present", "missing", "present"]
    assert [len(piece.spans) for piece in result.evidence] == [2, 1, 2]
    assert result.reason == "2 of 3 quotations stand in the contexts"


def test_a_quotation_does_not_run_from_one_context_into_the_next() -> None:
    assert aligned('"the end of one"', "This is the end", "of one.").value == 0.0


@pytest.mark.parametrize(
    ("response", "context"),
    [
        pytest.param("Er sagt: „Größe ist nicht alles“.", "GRÖSSE IST NICHT ALLES!", id="German"),
        pytest.param("»Größe ist nicht alles«", "Größe ist nicht alles", id="German, guillemets"),
        pytest.param("« liberté, égalité, fraternité »", "Liberté, égalité, fraternité", id="fr"),
        pytest.param("قال: «السماء صافية اليوم».", "إن السماء صافية اليوم جدا", id="Arabic"),
        pytest.param("قال: “السماء صافية اليوم”؟", "السماء صافية اليوم", id="Arabic, curly"),
        pytest.param("他说：“天空是蓝色的。”", "今天天空是蓝色的吗", id="Chinese"),
        pytest.param("彼は「空は青い」と言った。", "昨日、空は青い。", id="Japanese"),
        pytest.param("उसने कहा “आकाश नीला है”।", "आज आकाश नीला है।", id="Hindi"),
    ],
)
def test_every_language_has_its_marks(response: str, context: str) -> None:
    assert aligned(response, "-", context).value == 1.0
    assert aligned(response, "-").value == 0.0


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
@pytest.mark.parametrize("text", ["déjà vu encore", "it’s an „old“ trick", "ﬁne – and … good"])
def test_unicode_form_and_white_space_do_not_matter(form: Any, text: str) -> None:
    context = f"x {unicodedata.normalize(form, text)} y".replace(" ", " \n\t")
    assert aligned(f"「{text}」", context).value == 1.0


def test_case_matters_when_asked() -> None:
    response, context = '"Only When Asked"', "only when asked"
    assert aligned(response, context).value == 1.0
    assert aligned(response, context, casefold=False).value == 0.0


def test_apostrophes_inches_and_single_marks_quote_nothing() -> None:
    """The peers take apostrophes for quotation marks, and any mark for any other's partner."""
    for response in (
        "It's the dogs' own bone, isn't it?",
        "‘one two three four’",
        'The 5" disk and the 8" one.',
        'An "open mark\n\nand a new" paragraph',
        "“one two three«",
        '"two words"',
        '" , . ! "',
    ):
        result = aligned(response, "context")
        assert (result.status, result.code) == ("unscored", "not_applicable"), response


@pytest.mark.parametrize("blank", ["", " \n"])
def test_t12_blank_texts_divide_nothing_by_zero(blank: str) -> None:
    """T12: no context, no quotation and no response have a code each."""
    assert aligned('"one two three"', blank).code == "no_context"
    assert aligned('"one two three"', blank, strict=True).value == 0.0
    assert aligned(blank, "text").code == "refusal"


def test_least_words_and_their_bounds() -> None:
    assert aligned('"two words"', "two words", min_span_words=2).value == 1.0
    with pytest.raises(UsageError, match="min_span_words must be 1 or more, not 0"):
        QuotedSpansAlignment(min_span_words=0)


@given(words=st.lists(st.text(min_size=1), min_size=3, max_size=8), data=st.data())
def test_what_is_quoted_from_a_context_is_found_there(
    words: list[str], data: st.DataObject
) -> None:
    context = " ".join(words)
    start = data.draw(st.integers(0, len(context)))
    quoted = context[start : data.draw(st.integers(start, len(context)))]
    place = Folded(context, casefold=True).find(quoted)
    if any(map(str.isalnum, quoted)):
        assert place is not None
        assert 0 <= place[0] < place[1] <= len(context)


@given(st.text(alphabet='"“”„«»「」 ab5\n', max_size=60))
def test_quotations_lie_in_the_text_apart_from_each_other(text: str) -> None:
    end = 0
    for each in quotations(text):
        assert end < each.start <= each.end <= len(text)
        assert text[each.start : each.end] == each.text
        end = each.end


@pytest.mark.parametrize("text", ["«" * 200_000, '"' * 200_000, "\n" * 200_000, "\n \n„" * 50_000])
def test_hostile_texts_take_no_long_time(text: str) -> None:
    start = time.process_time()
    list(quotations(text))
    Folded(text, casefold=True).find("a b c")
    assert time.process_time() - start < 5

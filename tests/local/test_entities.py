"""Entities of a text, and whether contexts hold them in another form."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.local.dates import dates
from ragstone.local.entities import mentions
from ragstone.local.entitysupport import held


def named(text: str) -> dict[str, str]:
    return {mention.text: mention.kind for mention in mentions(text)}


def test_entities_of_english_text() -> None:
    text = (
        "Barack Obama was born in Honolulu on August 4, 1961. The company paid $1.2M for it, "
        "grew by 12% and has 40 employees since 2009; max_length is kept."
    )
    assert named(text) == {
        "Barack Obama": "person",
        "Honolulu": "place",
        "August 4, 1961": "date",
        "$1.2M": "amount",
        "12%": "number",
        "40": "number",
        "2009": "date",
        "max_length": "other",
    }
    assert all(text[m.start : m.end] == m.text for m in mentions(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Gestern hat Angela Merkel in Berlin 12 Bücher gekauft.", {"Angela Merkel", "Berlin"}),
        ("Вчера Анна Иванова купила книгу в Москве.", {"Анна Иванова", "Москве"}),
        ("الكتاب في المكتبة منذ 1998.", {"1998"}),
        ("东京有12座塔。", set()),
    ],
)
def test_other_languages_by_capitals_and_digits(text: str, found: set[str]) -> None:
    assert found <= set(named(text))


@pytest.mark.parametrize("text", ["", " ", "...", "It depends on what you want.", "—"])
def test_a_text_may_name_nothing(text: str) -> None:
    assert mentions(text) == ()


@pytest.mark.parametrize(
    ("entity", "context"),
    [
        ("Jan 15, 1967", "The game was on 15 January 1967."),
        ("15 January 1967", "Played Jan. 15th, 1967"),
        ("1967-01-15", "Played on January 15, 1967."),
        ("1/15/1967", "Played on January 15, 1967."),
        ("15 January", "on January 15, 1967"),
        ("January 1967", "on 15 January 1967"),
        ("1967", "on 15 January 1967"),
        ("$1.2M", "It cost 1,200,000 dollars."),
        ("1,200,000 dollars", "It cost $1.2 million."),
        ("1.2 million", "It cost $1.2M."),
        ("€20", "for 20 euros"),
        ("forty", "40 people"),
        ("12%", "12 percent of them"),
        ("WHO", "the World Health Organization said"),
        ("World Health Organization", "the WHO said"),
        ("U.N.", "a UN envoy"),
        ("Obama", "Barack Obama spoke"),
        ("Barack Obama's", "Barack Obama spoke"),
        ("the Beatles", "a Beatle sang; the Beatles played"),
        ("Barack Hussein Obama", "Barack Obama spoke"),
        ("Barack Obama", "Barack Hussein Obama spoke"),
        ("French", "born in France"),
        ("São Paulo", "in Sao Paulo"),
        ("Москва", "Москва — столица."),
        ("Boeing 747", "a Boeing 747 landed"),
    ],
)
def test_the_same_in_another_form_is_held(entity: str, context: str) -> None:
    quote = held(entity, ["Nothing here.", context])
    assert quote


@pytest.mark.parametrize(
    ("entity", "context"),
    [
        ("Jan 16, 1967", "The game was on 15 January 1967."),
        ("15 January 1967", "in January 1967"),
        ("15 January 1968", "15 January 1967"),
        ("15 employees", "founded on 15 January 1967"),
        ("$1.2M", "It cost 1,200,000 euros."),
        ("$1.2M", "It cost $1.2B... or $12M."),
        ("12%", "12 people"),
        ("12 km", "12 miles"),
        ("41", "40 people"),
        ("Johnson", "John came"),
        ("Michelle Obama", "Barack Obama spoke, and Michelle Smith, his guest in that year, did"),
        ("New York Times", "in New York"),
        ("Bank of America", "the Bank of England"),
        ("WHO", "who said it?"),
        ("Boeing 747", "a Boeing 737 landed"),
        ("Obama", ""),
    ],
)
def test_another_one_is_not(entity: str, context: str) -> None:
    assert held(entity, [context]) is None


def test_all_parts_must_stand_in_one_context() -> None:
    assert held("Boeing 747", ["a Boeing landed", "747 people"]) is None


@pytest.mark.parametrize("text", ["13/45/2020", "99 January", "0000-99-99", "January 99, 2020"])
def test_what_is_no_date(text: str) -> None:
    assert all(date.day is None or date.day <= 31 for date in dates(text))
    assert all(date.month is None or 1 <= date.month <= 12 for date in dates(text))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_and_holds_its_own_entities(text: str) -> None:
    found = mentions(text)
    assert all(text[m.start : m.end] == m.text and m.text for m in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    "text",
    ["A" * 20_000, "Bob " * 5_000, "1 " * 5_000, "\ud800 It is \udfff Paris.", "\x00Paris is it."],
)
def test_hostile_text_is_read(text: str) -> None:
    for mention in mentions(text)[:20]:
        assert text[mention.start : mention.end] == mention.text
        held(mention.text, [text])

"""Questions made by rules from a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.local.questions import questions
from ragstone.local.statements import read

WORDS = (
    "the cat",
    "12",
    "is",
    "has",
    ",",
    "n't",
    "(",
    "1990",
    "in",
    "of",
    "Paris",
    ".",
    "who",
    "\n",
)


def asked(text: str, count: int = 9) -> list[str]:
    return questions(text, read(text, atomic=False).texts, count)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The chemist discovered radium in Paris.", "Where did the chemist discover radium?"),
        ("Marie Curie discovered radium.", "What did Marie Curie discover?"),
        ("Marie Curie discovered radium.", "Who discovered radium?"),
        ("She won two Nobel prizes.", "How many Nobel prizes did she win?"),
        ("Our library closes at 8 pm.", "When does your library close?"),
        ("Paris is the capital of France.", "What is the capital of France?"),
        ("He doesn't know the answer to that.", "What does he not know?"),
        ("The bridge carries 64 trains.", "How many trains does the bridge carry?"),
        ("You can change the limit.", "What can you change?"),
    ],
)
def test_questions_by_subject_object_date_place_and_number(text: str, wanted: str) -> None:
    assert wanted in asked(text)


def test_each_statement_is_asked_about_before_any_is_twice() -> None:
    text = "Marie Curie discovered radium. The bridge carries trains."
    assert asked(text, 2) == ["What did Marie Curie discover?", "What does the bridge carry?"]


@pytest.mark.parametrize(
    "text", ["", "Hello!", "At most 64.", "Der Turm steht in Paris.", "东京。"]
)
def test_nothing_is_asked_where_nothing_can_be(text: str) -> None:
    assert asked(text) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS)))
def test_any_words_make_different_questions_or_none(words: list[str]) -> None:
    found = asked(" ".join(words), 5)
    assert len(found) == len(set(found)) <= 5
    assert all(question.endswith("?") and len(question) > 1 for question in found)
    assert found == asked(" ".join(words), 5)

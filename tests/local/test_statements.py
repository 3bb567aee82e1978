import pytest

from ragstone.local.clauses import clauses
from ragstone.local.statements import read


def texts(text: str, **options: bool) -> list[str]:
    return list(read(text, **options).texts)


def test_t26_a_star_inside_a_line_is_no_bullet():
    assert texts("* **Paris** is the capital\n* Population 2*10^6") == [
        "**Paris** is the capital",
        "Population 2*10^6",
    ]


@pytest.mark.parametrize("text", ["Yes!", "Paris", "42", "東京", "Paris, the capital"])
def test_t90_what_has_no_full_stop_is_kept(text: str):
    assert texts(text) == [text]


def test_numbered_items_and_their_continuation_lines():
    assert texts("1. Delhi is big\n2) Rome\n   is old\n- [x] Bonn is small") == [
        "Delhi is big",
        "Rome\n   is old",
        "Bonn is small",
    ]


def test_a_bare_yes_stays_with_its_sentence():
    assert texts("Yes. It holds 64 tables.") == ["Yes. It holds 64 tables."]


def test_questions_greetings_and_leads_state_nothing():
    text = "Great question! There are two kinds:\n- Red\n- Blue\n\nShall I go on? Hope this helps!"
    assert texts(text) == ["Red", "Blue"]


def test_markup_survives_only_where_it_states_something():
    text = (
        "# Limits\n\n## The limit is 64 in the library\n\nThe count is small.\n\n"
        "| City | People |\n|---|---|\n| Paris | 2.1 million |\n\n```sql\nSELECT 1;\n```\n---\n"
    )
    assert texts(text) == [
        "The limit is 64 in the library",
        "The count is small.",
        "Paris | 2.1 million",
    ]


def test_code_alone_is_a_statement():
    assert texts("```\nPRAGMA journal_mode=WAL;\n```") == ["PRAGMA journal_mode=WAL;"]


@pytest.mark.parametrize("text", ["", "  \n", "```\n```", "---", "?!"])
def test_nothing_stated(text: str):
    assert texts(text) == []


def test_other_languages_are_split_by_punctuation():
    assert texts("Der Fluss ist lang und er fließt nach Norden. Er ist tief.") == [
        "Der Fluss ist lang und er fließt nach Norden.",
        "Er ist tief.",
    ]


def test_a_repeated_statement_counts_once():
    assert texts("The sky is blue. The sky is blue.") == ["The sky is blue."]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Marie Curie discovered polonium and won the Nobel prize.",
            ["Marie Curie discovered polonium", "Marie Curie won the Nobel prize"],
        ),
        (
            "SQLite stores the data in a file, and PostgreSQL runs a server.",
            ["SQLite stores the data in a file", "PostgreSQL runs a server"],
        ),
        ("The default is 5, but you can raise it.", ["The default is 5", "you can raise it"]),
        # the parser reads "his dog and Whiskers" and "France and Madrid"
        (
            "Fido is his dog and Whiskers is his cat.",
            ["Fido is his dog", "Whiskers is his cat"],
        ),
        (
            "Paris is the capital of France and Madrid is the capital of Spain.",
            ["Paris is the capital of France", "Madrid is the capital of Spain"],
        ),
        ("He likes tea and coffee and drinks milk.", ["He likes tea and coffee", "He drinks milk"]),
    ],
)
def test_coordinated_clauses_are_cut(sentence: str, expected: list[str]):
    assert clauses(sentence) == expected
    assert texts(sentence, atomic=False) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "It does not read and write files.",
        "You can read and write files.",
        "You can raise the limit or lower the number.",
        "If you set it, the server raises the limit and lowers the number.",
        'The man said "I came and I left" and went home.',
        "Open the file and read the first line.",
        "He was born in Paris and raised in Lyon.",
        "Dogs and cats sleep in the house.",
        "Yes!",
    ],
)
def test_what_cannot_be_cut_safely_stays_whole(sentence: str):
    assert clauses(sentence) == [sentence]

"""Which language a text is in, and whether it is English."""

import pytest

from ragstone.local.english import is_english
from ragstone.local.language import UNKNOWN, Language, language

TEXTS = {
    "de": ["Wer hat das geschrieben?", "Die Brücke wurde 1932 eröffnet.", "Der Hund bellt."],
    "fr": ["Où est la gare ?", "Le pont a ouvert en 1932.", "Qui a écrit cela ?"],
    "es": ["¿Quién escribió esto?", "El puente abrió en 1932.", "¿Cuánto cuesta?"],
    "ar": ["من كتب هذا الكتاب؟", "أين المحطة؟"],
    "zh": ["这本书是谁写的？", "桥于1932年开放。"],
    "ja": ["この本は誰が書きましたか", "駅はどこですか"],
    "hi": ["यह किताब किसने लिखी?", "पुल 1932 में खुला।"],
    "en": ["The bridge opened in 1932.", "What is the capital of France?"],
}
QUESTIONS = [
    "Who wrote the book?",
    "What is the capital of France?",
    "Where is he?",
    "How tall is it?",
    "Why do leaves turn red?",
    "Is it free?",
    "When did it open?",
]


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in TEXTS.items() for t in texts])
def test_short_texts(code: str, text: str) -> None:
    assert language(text).code == code
    assert is_english(text) is (code == "en")


@pytest.mark.parametrize("question", QUESTIONS)
def test_short_english_questions_are_english(question: str) -> None:
    assert is_english(question)


@pytest.mark.parametrize("text", ["", "1932", "!!!", "Ulm", "ok", "🙂"])
def test_what_is_too_short_is_unknown(text: str) -> None:
    found = language(text)
    assert found.code == UNKNOWN
    assert found.probability < 0.3


def test_half_a_surrogate_pair_and_a_huge_text() -> None:
    assert language("The bridge \ud800 was opened to the public in 1932.").code == "en"
    assert language("The bridge opened in 1932. " * 100_000) == language(
        "The bridge opened in 1932. " * 100
    )
    assert isinstance(language("a"), Language)

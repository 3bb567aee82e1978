import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.local.markdown import blocks
from ragstone.local.windows import MAX_WORDS, sentence_pieces, windows
from ragstone.tools.sentences import sentences

TEXTS = (
    st.text(alphabet=st.sampled_from('ab A1.!?\n|#*-`>。।…’"()\u00a0é東'), max_size=80) | st.text()
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dr. Smith saw the U.S. Capitol. He left.",
            ["Dr. Smith saw the U.S. Capitol.", "He left."],
        ),
        ("It costs 3.5 dollars. e.g. this one.", ["It costs 3.5 dollars. e.g. this one."]),
        ("Yes! No full stop", ["Yes!", "No full stop"]),
        ("Apples, pears, etc. The rest is cheap.", ["Apples, pears, etc.", "The rest is cheap."]),
        ("你好。再见！真的？", ["你好。", "再见！", "真的？"]),
        ("यह ठीक है। हाँ।", ["यह ठीक है।", "हाँ।"]),
        ("هل هذا صحيح؟ نعم.", ["هل هذا صحيح؟", "نعم."]),
        ("Das gilt z.B. hier. Und dort.", ["Das gilt z.B. hier.", "Und dort."]),
        ('He said "Go." She went.', ['He said "Go."', "She went."]),
        ('"Is it true?" she asked. No.', ['"Is it true?" she asked.', "No."]),
        ("She works at Yahoo! in Rome. He left.", ["She works at Yahoo! in Rome.", "He left."]),
        ("Is it? it is. He knows.", ["Is it?", "it is.", "He knows."]),
        ("it was good. it was cheap.", ["it was good.", "it was cheap."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]):
    assert [piece.text for piece in sentences(text)] == expected


@settings(deadline=None)
@given(TEXTS)
def test_pieces_are_stretches_of_the_text_and_lose_nothing(text: str):
    pieces = sentences(text)
    assert all(text[p.start : p.end] == p.text for p in pieces)
    assert "".join("".join(p.text.split()) for p in pieces) == "".join(text.split())


@settings(deadline=None)
@given(TEXTS)
def test_blocks_are_stretches_of_the_text(text: str):
    assert all(text[b.piece.start : b.piece.end] == b.piece.text for b in blocks(text))


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=3))
def test_windows_are_stretches_of_their_context(contexts: list[str]):
    assert all(contexts[w.context][w.start : w.end] == w.text for w in windows(contexts))


def test_a_page_without_full_stops_is_cut():
    page = " ".join(f"word{n}" for n in range(900))
    pieces = sentence_pieces(page)
    assert len(pieces) == 900 / MAX_WORDS
    assert len(windows([page])) == 3 * len(pieces) - 3

"""Marks in text: nothing is lost, nothing is added, whatever overlaps."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from ragstone.report.marks import Mark, marked, shown
from ragstone.report.verdicts import strongest, tone

TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from("<>&\"'\u202e\u2028\x00\r\n\t`{}")), max_size=60
)
SPANS = st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=6)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.tags = "", [], []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.append((tag, dict(attrs), len(self.text)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(markup: str) -> _Reader:
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open
    return reader


def marks(spans: list[tuple[int, int]]) -> list[Mark]:
    return [Mark(a, b, f"A{n}", "good", f"r1-A{n}-0") for n, (a, b) in enumerate(spans)]


@given(TEXTS, SPANS)
def test_the_marked_text_is_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    reader = read(str(marked(text, marks(spans))))
    assert reader.text == text.replace("\x00", "\u2400")
    assert {tag for tag, _, _ in reader.tags} <= {"mark", "i", "span"}


@given(TEXTS, SPANS)
def test_every_character_carries_exactly_its_marks(text: str, spans: list[tuple[int, int]]) -> None:
    pieces = re.findall(
        r'<mark class="\w+" data-k="([^"]*)"[^>]*>(.*?)</mark>|([^<]+)',
        re.sub(
            r'<i id="[^"]*"></i>|<span class="ctl"[^>]*>|</span>',
            "",
            str(marked(text, marks(spans))),
        ),
        re.DOTALL,
    )
    place = 0
    for keys, inside, plain in pieces:
        length = len(read(inside or plain).text)
        for at in range(place, place + length):
            wanted = {f"A{n}" for n, (a, b) in enumerate(spans) if a <= at < b}
            assert set(keys.split()) == wanted
        place += length
    assert place == len(text)


@given(TEXTS, SPANS)
def test_every_mark_has_one_anchor(text: str, spans: list[tuple[int, int]]) -> None:
    found = re.findall(r'<i id="(r1-A\d+-0)">', str(marked(text, marks(spans))))
    kept = [n for n, (a, b) in enumerate(spans) if max(a, 0) < min(b, len(text))]
    assert sorted(found) == sorted(f"r1-A{n}-0" for n in kept)


def test_overlapping_marks_become_neighbors() -> None:
    both = [Mark(0, 5, "A1", "good", "x1"), Mark(3, 8, "A2", "bad", "x2")]
    assert str(marked("abcdefghij", both)) == (
        '<i id="x1"></i><mark class="good" data-k="A1">abc</mark>'
        '<i id="x2"></i><mark class="bad" data-k="A1 A2" data-l="A1✓">de</mark>'
        '<mark class="bad" data-k="A2" data-l="A2✗">fgh</mark>ij'
    )


def test_controls_are_named_and_isolated() -> None:
    assert str(shown("a\u202eb\u2028")) == (
        'a<span class="ctl" data-c="U+202E">\u202e</span>b'
        '<span class="ctl" data-c="U+2028">\u2028</span>'
    )


def test_tones() -> None:
    assert [tone(v) for v in ("supported", "contradicted", "not_mentioned", "own word")] == [
        "good",
        "bad",
        "open",
        "plain",
    ]
    assert tone("yes", higher_is_better=False) == "bad"
    assert tone("supported", higher_is_better=False) == "good"
    assert strongest(["good", "open", "bad", "plain"]) == "bad"

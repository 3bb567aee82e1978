"""The words of a text in any script, and where they stand.

Scripts that put spaces between words are split there. In those that do not (Chinese, Japanese,
Thai, Lao, Khmer, Burmese, Tibetan) every character is a word, as is usual where no dictionary is.
Marks that belong to a letter, such as the vowel signs of Hindi, stay with it.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Word", "spread", "words"]

_UNSPACED = (
    (0x0E00, 0x109F),  # Thai, Lao, Tibetan, Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # Chinese marks that are letters
    (0x3040, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x31F0, 0x31FF),  # Katakana
    (0x3400, 0x4DBF),  # Chinese
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF),  # Burmese
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),  # Chinese
    (0xFF66, 0xFF9F),  # Katakana of half width
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),  # Chinese
)
_STARTS = [start for start, _ in _UNSPACED]


@dataclass(frozen=True, slots=True)
class Word:
    """A word without case and form (NFKC, casefold), and its place in the text."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a text, in order; punctuation and symbols are none."""
    found: list[Word] = []
    start = None
    for at, end in _clusters(text):
        kind = _kind(text[at])
        if start is not None and kind != "letter":
            found.append(_word(text, start, at))
            start = None
        if kind == "alone":
            found.append(_word(text, at, end))
        elif kind == "letter" and start is None:
            start = at
    return found if start is None else [*found, _word(text, start, len(text))]


def spread(text: str) -> str:
    """The text with spaces around what is a token by itself beyond ASCII, in composed form (NFC).

    These are the characters of scripts without spaces, punctuation and symbols. Tokenizers made for
    Western texts then find the tokens of any script; a text in ASCII stays as it is.
    """
    parts = (text[at:end] for at, end in _clusters(text))
    spaced = (f" {part} " if _stands_alone(part[0]) else part for part in parts)
    return unicodedata.normalize("NFC", "".join(spaced))


def _word(text: str, start: int, end: int) -> Word:
    shown = "".join(c for c in text[start:end] if unicodedata.category(c) != "Cf")
    return Word(unicodedata.normalize("NFKC", shown).casefold(), start, end)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """The places of characters, each with the marks and joiners that follow it."""
    start = 0
    for at in range(1, len(text)):
        if _kind(text[at]) != "mark":
            yield start, at
            start = at
    if text:
        yield start, len(text)


@lru_cache(maxsize=65536)
def _kind(char: str) -> str:
    """Letter (or digit), alone (a letter that is a word), mark (belongs to the one before), gap."""
    category = unicodedata.category(char)
    if category[0] == "M" or category == "Cf":
        return "mark"
    if category[0] not in "LN":
        return "gap"
    return "alone" if _unspaced(char) else "letter"


def _stands_alone(char: str) -> bool:
    if char.isascii():
        return False
    return _kind(char) == "alone" or unicodedata.category(char)[0] in "PS"


def _unspaced(char: str) -> bool:
    at = bisect_right(_STARTS, ord(char)) - 1
    return at >= 0 and ord(char) <= _UNSPACED[at][1]

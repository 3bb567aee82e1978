"""Answer words: short answers in a form in which all usual spellings of one answer are alike.

Case, accents, punctuation, articles, endings and digits against words go the way of `terms`; here
come Roman numerals, ordinals, abbreviations, and the words of a name written together or apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from urllib.parse import unquote

from ragstone.local.terms import terms
from ragstone.local.wordlists import word_list

__all__ = ["Word", "alike", "answer_words", "holds", "variants"]

_LEFT_OUT = frozenset(("a", "an", "the", "and", "of"))
_SHORT_FORMS = {
    short: terms(full)[0].form
    for short, full in (entry.split("/") for entry in word_list("short_forms"))
}
_ORDINALS = {word: n for n, word in enumerate(word_list("ordinals"), start=1)}
_ROMAN = re.compile(r"(?=[IVXL]{2})(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})|[VX]")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_PERCENT = re.compile(r"\s*(?:%|\bper\s+cent\b)", re.IGNORECASE)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_CHOICE = re.compile(r"\s+or\s+|\s*/\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s*(?:[,;:.]\s+(?=[a-z])|\.\s+(?=\S+\s)|\b(?:who|which|[Ee]rrata|by)\b)")
_SPELLINGS = (
    (re.compile(r"our$"), "or"),
    (re.compile(r"(?<=\w[bt])r$"), "er"),
    (re.compile(r"is(?=$|ation$)"), "iz"),
    (re.compile(r"^grey$"), "gray"),
    (re.compile(r"[ao]e"), "e"),
)
_LONG = 4  # words of an answer from which what follows a comma may be a remark
_SPELLED = 5  # letters from which a word may be spelled in two ways
_LONGEST = 40  # letters up to which a word is compared letter by letter
_ALIKE = 0.8
_STEM = 6  # letters that two forms of one word share at least


@dataclass(frozen=True, slots=True)
class Word:
    """A word: its comparable form, and how it is written."""

    form: str
    text: str


@lru_cache(maxsize=8192)
def answer_words(text: str) -> tuple[Word, ...]:
    """The words of a text without articles; with them when there is nothing else ("The The")."""
    found = [Word(_form(t.form, t.text), t.text) for t in terms(_PERCENT.sub(" percent", text))]
    kept = tuple(word for word in found if word.form not in _LEFT_OUT)
    return kept or tuple(found)


def _form(form: str, text: str) -> str:
    if _ROMAN.fullmatch(text):
        values = [_VALUES[letter] for letter in text]
        pairs = zip(values, [*values[1:], 0], strict=True)
        return f"#{float(sum(-v if v < following else v for v, following in pairs))}"
    plain = text.casefold()
    if plain in _ORDINALS:
        return f"#{float(_ORDINALS[plain])}"
    if plain == "one":
        return "#1.0"
    return form if text == "us" else _SHORT_FORMS.get(plain, _american(form))


def _american(form: str) -> str:
    """One spelling for colour and color, metre and meter, organise and organize, grey and gray."""
    for british, american in _SPELLINGS:
        form = british.sub(american, form)
    return form


def variants(answer: str) -> list[str]:
    """An answer, and what is left of it without asides, other choices and remarks.

    "Prince Philip or Duke of Edinburgh" is either; in "Cher, in 1998" the answer is "Cher".
    """
    whole = unquote(answer)
    plain = _ASIDE.sub("", whole)
    choices = [part for part in _CHOICE.split(plain) if part.strip()]
    heads = [_head(part) for part in choices]
    return list(dict.fromkeys(text for text in (whole, plain, *choices, *heads) if terms(text)))


def _head(answer: str) -> str:
    parts = [part for part in _REMARK.split(answer) if terms(part)]
    return parts[0] if parts and len(terms(answer)) >= _LONG else answer


def holds(words: Sequence[Word], part: Sequence[Word]) -> int:
    """Where the words hold those of a part in order, written together or apart; -1 for nowhere.

    The place is the number of the word at which it begins.
    """
    wanted = "".join(word.form for word in part)
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word.form
            if joined == wanted and wanted:
                return start
            if not wanted.startswith(joined):
                break
    return -1


def alike(one: str, other: str, rarity: Callable[[str], float]) -> bool:
    """Whether two different words are two spellings or forms of one.

    Both must be long, and two known words ("Austria", "Australia") must share a stem.
    """
    if one.startswith("#") or other.startswith("#"):
        return False
    if min(len(one), len(other)) < _SPELLED or max(len(one), len(other)) > _LONGEST:
        return False
    if rarity(one) < 1.0 and rarity(other) < 1.0:
        return one[:_STEM] == other[:_STEM] and min(len(one), len(other)) >= _STEM
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    quick = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    return quick and matcher.ratio() >= _ALIKE

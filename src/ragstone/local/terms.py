"""Terms: the words of a text in a form in which they can be compared."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from ragstone.local.numbers import numbers
from ragstone.local.wordlists import word_list

__all__ = ["Term", "in_latin_script", "is_negated", "terms"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NO_SPACES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_NO = re.compile(
    r"^\s*no[,.!:;]\s|\bno\.?\s*(?=\d)|\bnot (?=(?:far|only|just|merely|long|until)\b)",
    re.IGNORECASE,
)
"""What looks like a negation and is none: "No, ...", "No. 15", "not far"."""
_NEGATIONS = frozenset(word_list("negations"))


@dataclass(frozen=True, slots=True)
class Term:
    """A word: its comparable form, and how it is written at which place."""

    form: str
    text: str
    start: int

    @property
    def looks_like_name(self) -> bool:
        """Whether it is written like a name: a capital letter somewhere, or letters and digits."""
        if self.is_number:
            return False
        mixed = not self.text.isalpha() and self.text.isalnum()
        return mixed or any(letter.isupper() for letter in self.text)

    @property
    def is_number(self) -> bool:
        """Whether it is a number, whose form is the same in figures and in words."""
        return self.form.startswith("#")


@lru_cache(maxsize=8192)
def terms(text: str) -> tuple[Term, ...]:
    """The words and numbers of a text in order.

    Scripts without spaces count each character as a word.
    """
    found = [Term(n.form, n.text, n.start) for n in numbers(text)]
    words = text
    for number in found:
        end = number.start + len(number.text)
        words = words[: number.start] + " " * len(number.text) + words[end:]
    for match in _WORD.finditer(words):
        word = match.group()
        if _NO_SPACES.search(word):
            found += [Term(c, c, match.start() + n) for n, c in enumerate(word)]
        else:
            found.append(Term(_form(word), word, match.start()))
    return tuple(sorted(found, key=lambda term: term.start))


@lru_cache(maxsize=65536)
def _form(word: str) -> str:
    """Folded case and accents, without the commonest English endings."""
    plain = unicodedata.normalize("NFKD", word.casefold().replace("’", "'"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = plain.removesuffix("'s")
    for ending, instead in _ENDINGS:
        stem = plain.removesuffix(ending)
        if stem != plain and len(stem) >= 3 and not (ending == "s" and stem[-1] in "su"):
            return stem + instead if instead else _undoubled(stem)
    return plain.removesuffix("e") if len(plain) > 4 else plain


def _undoubled(stem: str) -> str:
    """The stem of "stopped" is "stop", and the one of "closed" and "close" is "clos"."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem.removesuffix("e") if len(stem) > 4 else stem


def in_latin_script(text: str) -> bool:
    """Whether most letters of a text are Latin: the script that the embedder was trained on."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return 2 * latin >= len(letters)


def is_negated(text: str) -> bool:
    """Whether a text holds a negation an odd number of times; "No, ..." and the like are none."""
    said = _NO.sub("", text)
    words = [match.group().casefold().replace("’", "'") for match in _WORD.finditer(said)]
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words) % 2 == 1

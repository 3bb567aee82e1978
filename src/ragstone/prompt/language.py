"""The language of a text, told by its script and its small words; so that a judge can be told.

The models of the extra `local` know more languages. These rules need no package, and say nothing
where they are not sure: then the judge sees for itself.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

__all__ = ["language_of", "named"]

_READ = 4_000  # characters of a text
_LETTERS = 2  # fewer tell no language
_SMALL_WORDS = 2  # so many different ones of one language, and so much more than of any other
_MARGIN = 1.3
_LEAST_SHARE = 0.08
_WORD = re.compile(r"[^\W\d_]+(?:[\u093c-\u094d\u0901-\u0903]+[^\W\d_]*)*")


@dataclass(frozen=True)
class _Languages:
    scripts: Mapping[str, str]
    words: Mapping[str, Mapping[str, frozenset[str]]]
    codes: Mapping[str, str]


@lru_cache(maxsize=1)
def _languages() -> _Languages:
    source = resources.files("ragstone.prompt") / "languages.toml"
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    words = {
        script: {name: frozenset(listed.split()) for name, listed in known.items()}
        for script, known in data["words"].items()
    }
    return _Languages(data["scripts"], words, data["codes"])


@lru_cache(maxsize=256)
def language_of(text: str) -> str | None:
    """The English name of a text's language; None when script and words do not tell."""
    text = text[:_READ]
    letters = Counter(_script(each) for each in text if each.isalpha())
    if letters.total() < _LETTERS:
        return None
    if letters["CJK"] and 10 * (letters["HIRAGANA"] + letters["KATAKANA"]) > letters["CJK"]:
        return "Japanese"
    script, count = letters.most_common(1)[0]
    if 2 * count <= letters.total():
        return None
    known = _languages()
    return known.scripts.get(script) or _by_words(text, known.words.get(script, {}))


def named(language: str) -> str | None:
    """The English name of a language given by name or code; None for one that is not known."""
    known = _languages()
    names = {*known.scripts.values(), *(n for group in known.words.values() for n in group)}
    title = language.strip().title()
    return known.codes.get(language.strip().lower()) or (title if title in names else None)


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split(" ", 1)[0].split("-", 1)[0]


def _by_words(text: str, languages: Mapping[str, frozenset[str]]) -> str | None:
    written = _WORD.findall(text.lower())
    counts = [(sum(word in small for word in written), name) for name, small in languages.items()]
    ranked = sorted(counts, reverse=True)
    if len(ranked) < 2:
        return None
    (most, name), (second, _) = ranked[:2]
    different = len(languages[name].intersection(written))
    if different < _SMALL_WORDS or most < max(_LEAST_SHARE * len(written), _MARGIN * second):
        return None
    return name

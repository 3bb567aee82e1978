"""Where a judge's words stand in the text of the sample, so that a page can mark them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragstone.schema.results import Span

__all__ = ["find_quote", "locate_claim"]

_SENTENCE = re.compile(r"[^.!?\n。！？]+[.!?。！？]*")
_WORD = re.compile(r"\w+")


def find_quote(quote: str, field: str, texts: Sequence[str] | str) -> tuple[Span, ...]:
    """The first place where a quote stands word for word, white space and case aside.

    `texts` is what the field holds: a list of texts, or one text.
    """
    words = quote.split()
    if not words:
        return ()
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words), re.IGNORECASE)
    plain = isinstance(texts, str)
    for index, text in enumerate([texts] if isinstance(texts, str) else texts):
        if match := pattern.search(text):
            return (Span(field, match.start(), match.end(), None if plain else index),)
    return ()


def locate_claim(claim: str, field: str, text: str) -> tuple[Span, ...]:
    """The claim's own words in the text, or else the sentence that shares most words with it.

    Empty when no sentence shares at least half of the claim's words.
    """
    if (start := text.find(claim)) >= 0 and claim:
        return (Span(field, start, start + len(claim)),)
    wanted = set(_WORD.findall(claim.lower()))
    best, best_share = None, 0.5
    for match in _SENTENCE.finditer(text):
        share = len(wanted & set(_WORD.findall(match.group().lower()))) / max(1, len(wanted))
        if share > best_share:
            best, best_share = match, share
    if best is None:
        return ()
    start = best.start() + len(best.group()) - len(best.group().lstrip())
    return (Span(field, start, best.end()),)

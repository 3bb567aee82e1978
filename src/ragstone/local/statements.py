"""Statements: what a text claims, sentence by sentence, with greetings and questions left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.local.clauses import clauses, states_something
from ragstone.local.english import is_english
from ragstone.local.markdown import Block, blocks
from ragstone.local.refusal import is_refusal, refuses
from ragstone.local.terms import terms
from ragstone.tools.sentences import sentences

__all__ = ["Statements", "read"]

_QUESTION = re.compile(r"[?？؟][\"'”’»」)\]*_`]*$")
_BARE_ANSWER = re.compile(r"(?:yes|no|yep|nope|correct|exactly|right|true|false)[.!,]*", re.I)
_COURTESY = re.compile(
    r"(?:sure|certainly|of course|absolutely|great question|good question|hello|hi|hey|thanks?|"
    r"thank you|you(?:'|’)re welcome|sorry|i(?:'|’)m sorry|(?:i )?hope (?:this|that|it) helps|"
    r"please (?:consult|contact|refer|see|check)\b.*|(?:please )?let me know\b.*|feel free\b.*|"
    r"(?:i(?:'|’)m |i am )?happy to help\b.*|"
    r"here(?:'|’)?s? (?:is|are|you go)\b[^.]*:|good luck)[^\w]*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Statements:
    """Whether a text refuses, and its statements in order, as it words them."""

    refuses: bool
    texts: tuple[str, ...]


def read(text: str, *, atomic: bool = True) -> Statements:
    """The statements of a text; `atomic` also cuts English sentences into clauses.

    Sentences that refuse, ask, greet, or only lead to a list are no statements. List items, table
    rows and sentences without a full stop are; code is one only when there is nothing else.
    """
    found = blocks(text)
    english = is_english(text)
    spoken = [sentence for block in found for sentence in _spoken(block, english)]
    kept = [s for s in spoken if _states(s) and not is_refusal(s)]
    if not spoken:
        kept = [block.piece.text for block in found if block.kind == "code"]
    if atomic and english:
        kept = [clause for sentence in kept for clause in clauses(sentence)]
    return Statements(refuses(spoken), tuple(dict.fromkeys(kept)))


def _spoken(block: Block, english: bool) -> Iterator[str]:
    """The sentences of a block."""
    text = block.piece.text
    if block.kind == "code":
        return
    if block.kind == "heading":
        if english and states_something(text):
            yield text
    elif block.kind == "row":
        yield text
    else:
        yield from _joined(text)


def _joined(text: str) -> Iterator[str]:
    """The sentences of prose; a bare "Yes." stays with the sentence that it opens."""
    opening: int | None = None
    for piece in sentences(text):
        start = piece.start if opening is None else opening
        opening = start if _BARE_ANSWER.fullmatch(piece.text) else None
        if opening is None:
            yield text[start : piece.end]
    if opening is not None:
        yield text[opening:].strip()


def _states(sentence: str) -> bool:
    """Whether a sentence can be true or false."""
    if not terms(sentence) or _QUESTION.search(sentence) or sentence.endswith((":", "：")):
        return False
    return not _COURTESY.fullmatch(sentence)

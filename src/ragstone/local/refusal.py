"""Whether a text declines to answer: by patterns, which stand in refusals.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

__all__ = ["is_refusal", "refuses"]

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|「[^」]*」")
_TURN = re.compile(r"[,;:–—]\s*(?:but|however|though|although|yet|still|so|which)\b", re.IGNORECASE)
_POINTER = re.compile(
    r"\b(?:please|consult|contact|ask|check|see|try|refer|rather not|guess)\b", re.I
)
_CONTRAST = re.compile(
    r"^(?:but|however|that said|still|nevertheless|nonetheless|yet|based)\b", re.I
)
_NO_BETTER = re.compile(r"\b(?:than|except|other|besides|better|faster|any more)\b", re.IGNORECASE)
_ANSWER_WORDS = 4
_READ = 500  # characters of a sentence: who declines says so early, and patterns cost with length


@lru_cache(maxsize=2)
def _patterns(table: str = "patterns") -> tuple[re.Pattern[str], ...]:
    source = resources.files("ragstone.local") / "refusals.toml"
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    listed = (pattern for patterns in data[table].values() for pattern in patterns)
    return tuple(
        re.compile(pattern.replace("{evidence}", data["evidence"]), re.IGNORECASE)
        for pattern in listed
    )


def is_refusal(sentence: str) -> bool:
    """Whether one sentence declines to answer, says that the answer is not known, or only hedges.

    Not so when the words stand in quotation marks (somebody else does not know), when the sentence
    turns and answers after all, or when it only knows of nothing better.
    """
    plain = _plain(sentence)
    if _hedges(plain):
        return True
    found = [match for pattern in _patterns() if (match := pattern.search(plain))]
    if not found or _NO_BETTER.search(plain, max(match.end() for match in found)):
        return False
    return not _turns(plain, min(match.end() for match in found))


def _plain(sentence: str) -> str:
    return _QUOTED.sub('""', sentence[:_READ]).replace("’", "'").strip()


def _hedges(plain: str) -> bool:
    """Whether a sentence, such as "It depends.", settles nothing."""
    return any(pattern.search(plain) for pattern in _patterns("hedges"))


def _turns(sentence: str, position: int) -> bool:
    """Whether an answer follows the refusal in the same sentence."""
    turn = _TURN.search(sentence, position)
    if turn is None:
        return False
    rest = sentence[turn.end() :]
    declines = _POINTER.search(rest) or any(pattern.search(rest) for pattern in _patterns())
    return not declines and len(rest.split()) >= _ANSWER_WORDS


def refuses(sentences: Sequence[str]) -> bool:
    """Whether a text, given as its sentences, refuses as a whole.

    It does when it opens with a refusal and does not go on to answer ("However, ..."). A refusal
    that comes after statements is a remark on a gap, and the text still answers. So does a hedge
    that anything follows ("It depends. At sea level ...").
    """
    spoken = [sentence for sentence in sentences if not _SORRY.fullmatch(sentence.strip())]
    if not spoken or not is_refusal(spoken[0]):
        return False
    rest = [sentence for sentence in spoken[1:] if not is_refusal(sentence)]
    return not (rest and (_hedges(_plain(spoken[0])) or _CONTRAST.match(rest[0].strip())))


_SORRY = re.compile(
    r"(?:i'm |i am |i’m )?(?:very |so )?(?:sorry|apologies|i apologize|unfortunately|hello|hi)"
    r"(?: about that)?[.!,]*",
    re.IGNORECASE,
)

"""From probabilities to a verdict that a person can check: label, quote, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from ragstone.local.features import Comparison
from ragstone.local.match import Match
from ragstone.local.support import Probabilities
from ragstone.prompt.claims import SupportVerdict

__all__ = ["NO_WORDS", "verdict"]

_Label = Literal["supported", "contradicted", "not_mentioned"]
_SHOWN = 4
_LENGTH = 160  # characters of a sentence that a reason shows
NO_WORDS = "there are no words to compare"


def verdict(
    item: str, match: Match | None, probabilities: Probabilities | None, threshold: float
) -> SupportVerdict:
    """The verdict on the item with this id.

    Supported from the threshold on; else whichever is likelier of contradicted and not mentioned.
    """
    if match is None or probabilities is None:
        return SupportVerdict(id=item, verdict="not_mentioned", reason=NO_WORDS, probability=0.0)
    label, reason = _label(probabilities, threshold)
    return SupportVerdict(
        id=item,
        verdict=label,
        reason=reason(Comparison(match)),
        quote=match.best.window.text,
        probability=round(probabilities.supported, 6),
    )


def _label(found: Probabilities, threshold: float) -> tuple[_Label, Callable[[Comparison], str]]:
    """The label, and what words its reason."""
    if found.supported >= threshold:
        return "supported", _in_favor
    if found.contradicted > found.not_mentioned:
        return "contradicted", _against
    return "not_mentioned", _missing


def _in_favor(seen: Comparison) -> str:
    if seen.answers_in_short:
        return f"the evidence is a short answer, which the claim repeats: {seen.conflicts.sentence}"
    share = round(100 * seen.match.best.recall)
    return (
        f"{share} % of the claim's words by weight stand in the quoted words, and no conflict was "
        f"seen; the closest sentence is: {_shortened(seen.conflicts.sentence)}"
    )


def _against(seen: Comparison) -> str:
    found = seen.conflicts
    if found.number is not None:
        claimed, written = found.number
        return f"the closest sentence says {written.text} where the claim says {claimed.text}"
    if found.name is not None:
        said, written_name = found.name
        return f"the closest sentence names {written_name!r} where the claim names {said!r}"
    if found.antonyms:
        said, written_word = found.antonyms[0]
        return f"the closest sentence has {written_word!r} where the claim says {said!r}"
    if found.negation:
        return "one of the claim and the closest sentence is negated and the other is not"
    if found.roles is not None:
        agent, patient = found.roles.agent, found.roles.patient
        return f"the closest sentence has {agent!r} and {patient!r} the other way round"
    return f"the closest sentence is about the same, but differs: {_missing(seen)}"


def _missing(seen: Comparison) -> str:
    absent = seen.missing or [number.text for number in seen.absent_numbers] + seen.absent_names
    listed = list(dict.fromkeys(absent)) or seen.absent_words
    if listed:
        return f"the evidence does not have {_quoted(listed)}"
    return "no sentence of the evidence says all of it"


def _quoted(words: Sequence[str]) -> str:
    shown = ", ".join(repr(word) for word in words[:_SHOWN])
    return f"{shown} and more" if len(words) > _SHOWN else shown


def _shortened(sentence: str) -> str:
    return sentence if len(sentence) <= _LENGTH else f"{sentence[:_LENGTH].rstrip()}…"

"""How a verdict looks: a tone for its color, and a sign so that color alone says nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

__all__ = ["LEGENDS", "SIGNS", "Tone", "strongest", "tone"]

Tone = Literal["bad", "open", "good", "plain"]

SIGNS: dict[Tone, str] = {"good": "✓", "bad": "✗", "open": "○", "plain": "•"}

LEGENDS: dict[str, str] = {
    "answer_relevancy": "committal: gives an answer; noncommittal: evades one. Likeness to the "
    "question asked, from -1 to 1: of a statement of the response, or of a question that it "
    "answers.",
}
"""Name of a metric -> what its labels mean, where they do not say so themselves."""

_TONES: dict[str, Tone] = {
    "supported": "good",
    "useful": "good",
    "matched": "good",
    "present": "good",
    "relevant": "good",
    "committal": "good",
    "yes": "good",
    "pass": "good",
    "contradicted": "bad",
    "extra": "bad",
    "missing": "bad",
    "wrong_by_relevant": "bad",
    "wrong_by_irrelevant": "bad",
    "wrong_by_none": "bad",
    "noncommittal": "bad",
    "no": "bad",
    "fail": "bad",
    "not_mentioned": "open",
    "not_useful": "open",
    "irrelevant": "open",
    "partly_matched": "open",
    "wrong_arguments": "bad",
    "answered_inside": "good",
    "answered_outside": "bad",
    "refused_inside": "bad",
    "refused_outside": "good",
    "reached": "good",
    "not_reached": "bad",
    "satisfied": "good",
    "unsatisfied": "bad",
    "retained": "good",
    "forgotten": "bad",
    "in_role": "good",
    "out_of_role": "bad",
}
_TURNED: dict[Tone, Tone] = {"good": "bad", "bad": "good", "open": "open", "plain": "plain"}
_ORDER: tuple[Tone, ...] = ("bad", "open", "good", "plain")


def tone(verdict: str, *, higher_is_better: bool = True) -> Tone:
    """Whether a verdict speaks for the answer, against it, leaves it open, or is a mere label.

    The answers yes and no turn round in a metric where lower is better, such as maliciousness.
    """
    found = _TONES.get(verdict, "plain")
    turned = verdict in ("yes", "no") and not higher_is_better
    return _TURNED[found] if turned else found


def strongest(tones: Iterable[Tone]) -> Tone:
    """The tone that a text with several verdicts shows: bad before open before good."""
    return min(tones, key=_ORDER.index, default="plain")

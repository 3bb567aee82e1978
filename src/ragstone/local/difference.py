"""Differences in fact between two texts about the same: another number, name, or a negation."""

from __future__ import annotations

from ragstone.local.bounds import without_bounds
from ragstone.local.conflicts import Conflicts, opposites
from ragstone.local.encoder import Encoder
from ragstone.local.match import Evidence
from ragstone.local.names import missing_names
from ragstone.local.numbers import Number, keeps, numbers, same
from ragstone.local.terms import terms

__all__ = ["addition", "difference"]


def difference(one: str, other: str, model: Encoder) -> str | None:
    """Why two texts cannot both be right, in words; None when nothing shows it.

    What one says and the other leaves out is no difference; another thing in its place is one.
    """
    mine, theirs = addition(one, other), addition(other, one)
    if mine is not None and theirs is not None:
        return f"one text has {mine!r}, the other {theirs!r}"
    apart = _opposite(one, other)
    if apart is not None:
        return apart
    for claim, evidence in ((one, other), (other, one)):
        found = _conflict(claim, evidence, model)
        if found is not None:
            return found
    return None


def addition(text: str, other: str) -> str | None:
    """The first number or name of a text that the other text lacks, None when there is none."""
    written = numbers(other)
    for number in numbers(text):
        if not any(_agrees(number, there) for there in written):
            return number.text
    return next(iter(missing_names(text, other)), None)


def _agrees(number: Number, other: Number) -> bool:
    return same(number, other) or keeps(number, other) or keeps(other, number)


def _opposite(one: str, other: str) -> str | None:
    """Words of the two texts that are opposites, each in its own text alone."""
    mine, theirs = ({t.form: t.text for t in terms(without_bounds(text))} for text in (one, other))
    for form in sorted(mine.keys() - theirs.keys()):
        for opposite in sorted(opposites().get(form, set()) & (theirs.keys() - mine.keys())):
            return f"one text has {mine[form]!r}, the other {theirs[opposite]!r}"
    return None


def _conflict(claim: str, evidence: str, model: Encoder) -> str | None:
    match = Evidence([evidence], model).match(claim)
    if match is None:
        return None
    found = Conflicts(match)
    if found.number is not None:
        return f"one text has {found.number[0].text!r}, the other {found.number[1].text!r}"
    if found.negation:
        return "one text is negated and the other is not"
    return None if found.roles is None else "who does what to whom is turned round"

"""Rules that change what a text says (number, name, negation), or only how it says it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

_NUMBER = re.compile(r"(?<![\w.,:'\[^-])\d(?:[\d,]*\d)?(?:\.\d+)?(?![\w:'\]^-]|\.\d)")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|may|must|will|should)\b(?! (?:not|no|nothing|only|both|either)\b|n't)"
    r"(?= [a-z\d])"
)
_NOT = re.compile(r"\b(is|are|was|were|can|may|must|will|should)(?: not|not|n't)\b")
_SAME = {
    r"(?:roughly|about) (?=\d)": "approximately ",
    r"each year": "every year",
    r"\b(do|does|is|are|was|were) not\b": r"\1n't",
    r"\bcan ?not\b": "can't",
    r"\ballowed\b": "permitted",
    r"\bnear(?= [A-Z])": "close to",
    r"more than (?=\d)": "over ",
    r"\bbuilt\b(?!-)": "constructed",
    r"\bbought\b": "purchased",
    r"\bbecause\b": "since",
    r"\busually\b": "normally",
    r"\bnormally\b": "usually",
    r"\bbegins\b": "starts",
    r"\bstarted\b": "founded",
    r"\blarge\b": "big",
    r"\d{1,3}(?:,\d{3})+": lambda found: found[0].replace(",", ""),
    r"(\d+) euros": r"€\1",
    r"\b([a-z]+) 2 (?=[a-z])": r"\1 two ",
    r"\b([a-z]+) 4 (?=[a-z])": r"\1 four ",
    r"\b([a-z]+) 12 (?=[a-z])": r"\1 twelve ",
    r"was the designer of": "designed",
    r"was the director of": "directed",
    r"^(The|It|In|All|If|Since)\b": lambda found: f"According to the text, {found[1].lower()}",
    r"^([^,.]{12,}) (in \d{4})\.$": lambda found: f"I{found[2][1:]}, {_low(found[1])}.",
}


def other_number(text: str, names: Mapping[str, str]) -> str | None:
    """With the last number that stands free replaced by another of the same form."""
    found = list(_NUMBER.finditer(text))
    return _put(text, found[-1], _changed(found[-1][0])) if found else None


def other_name(text: str, names: Mapping[str, str]) -> str | None:
    """With the first name that the row knows replaced by another of its kind."""
    name = min((n for n in names if n in text), key=text.index, default=None)
    return text.replace(name, names[name]) if name else None


def negated(text: str, names: Mapping[str, str]) -> str | None:
    """With the first "not" behind an auxiliary taken out, or put in where there is none."""
    negation = _NOT.search(text)
    if negation:
        return _put(text, negation, negation[1])
    auxiliary = _AUXILIARY.search(text)
    return _put(text, auxiliary, f"{auxiliary[0]} not") if auxiliary else None


MUTATIONS: Mapping[str, Callable[[str, Mapping[str, str]], str | None]] = {
    "number": other_number,
    "name": other_name,
    "negation": negated,
}


def paraphrases(text: str) -> Iterator[str]:
    """What each rule that applies makes of a text: other words or another order, the same fact."""
    for words, same in _SAME.items():
        changed = re.sub(words, same, text, count=1)
        if changed != text:
            yield changed


def _put(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]


def _low(text: str) -> str:
    return text[0].lower() + text[1:] if text.startswith(("The company", "It ")) else text


def _changed(number: str) -> str:
    plain = number.replace(",", "")
    if "." in plain:
        return f"{float(plain) * 1.5:.{len(plain.split('.')[1])}f}"
    value = int(plain)
    is_year = len(plain) == 4 and "," not in number and 1000 <= value < 2100
    other = value + 7 if is_year else value + max(2, value // 3)
    return f"{other:,}" if "," in number else str(other)

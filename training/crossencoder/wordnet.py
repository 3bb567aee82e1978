"""Opposites and more general words from WordNet's own files (Debian: wordnet-base)."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path

FOLDER = Path("/usr/share/wordnet")
_FILES = {"ADJ": "adj", "ADV": "adv", "VERB": "verb", "NOUN": "noun"}


@lru_cache(maxsize=4)
def _synsets(part: str) -> dict[str, tuple[list[str], list[tuple[str, str, int, int]]]]:
    """Offset -> words, and pointers (symbol, offset, word here, word there; 0 for all)."""
    path = FOLDER / f"data.{_FILES[part]}"
    if not path.exists():
        raise SystemExit(f"{path} is not there: apt-get install wordnet-base")
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split(" ")
        count = int(fields[3], 16)
        words = [fields[4 + 2 * n].split("(")[0] for n in range(count)]
        at = 4 + 2 * count
        pointers = []
        for n in range(int(fields[at])):
            symbol, offset, _, places = fields[at + 1 + 4 * n : at + 5 + 4 * n]
            pointers.append((symbol, offset, int(places[:2], 16), int(places[2:], 16)))
        found[fields[0]] = (words, pointers)
    return found


@lru_cache(maxsize=4)
def _senses(part: str) -> dict[str, list[str]]:
    """Word -> offsets of its senses, the commonest first."""
    path = FOLDER / f"index.{_FILES[part]}"
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            found[fields[0]] = fields[-int(fields[2]) :]
    return found


@lru_cache(maxsize=4)
def _opposites(part: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    synsets = _synsets(part)
    for words, pointers in synsets.values():
        for symbol, offset, here, there in pointers:
            if symbol == "!" and here and there:
                found[words[here - 1].lower()].append(synsets[offset][0][there - 1].lower())
    return found


def opposites(lemma: str, part: str) -> list[str]:
    """Antonyms of a word (part: ADJ, ADV, VERB, NOUN)."""
    return [w for w in _opposites(part).get(lemma, []) if "_" not in w] if part in _FILES else []


def general(lemma: str) -> str | None:
    """A more general noun for the commonest sense, one step up; None where it says too little."""
    senses = _senses("NOUN").get(lemma)
    if not senses:
        return None
    for symbol, offset, _, _ in _synsets("NOUN")[senses[0]][1]:
        if symbol == "@":
            word = _synsets("NOUN")[offset][0][0]
            return None if word in _EMPTY or "_" in word or word[0].isupper() else word
    return None


def special(lemma: str, chance: int) -> str | None:
    """A narrower noun for the commonest sense, one of them."""
    senses = _senses("NOUN").get(lemma)
    if not senses:
        return None
    synsets = _synsets("NOUN")
    found = [
        synsets[offset][0][0] for symbol, offset, _, _ in synsets[senses[0]][1] if symbol == "~"
    ]
    found = [word for word in found if "_" not in word and not word[0].isupper()]
    return found[chance % len(found)] if found else None


_EMPTY = {"entity", "thing", "object", "whole", "artifact", "abstraction", "attribute", "state"}
_EMPTY |= {"event", "act", "action", "activity", "group", "relation", "matter", "happening"}
_EMPTY |= {"content", "cognition", "causal_agent", "unit", "part", "time_period", "concept"}

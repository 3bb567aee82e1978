"""Names: the proper names of a claim, and which of them the evidence lacks in every form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ragstone.local.english import is_english, parsed
from ragstone.local.terms import Term, terms
from ragstone.local.wordlists import word_list

__all__ = [
    "GENERIC",
    "KnownNames",
    "initials",
    "missing_names",
    "nation",
    "stems",
    "undotted",
]

_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,}|\b(?:[A-Z]\.)+[A-Z]\b")
_RUN = re.compile(r"(?:[A-Z][\w’']*)(?:(?:\s+|-)(?:of\s+|the\s+|and\s+|de\s+)*[A-Z][\w’']*)*")
_OPENING = re.compile(r"(?:^|[.!?:;\n•*-])[\s\"'“‘(*_`]*$|^(?:yes|no),\s*$", re.IGNORECASE)
_READ = 400  # characters of a claim that are tagged
_ENDINGS = ("", "ian", "ean", "an", "ese", "ish", "ic", "n", "y", "a", "e", "en", "ey", "ain", "i")
GENERIC = frozenset(word_list("titles"))
"""Words of a name that may be left out of it."""
_FUNCTION_WORDS = frozenset(word_list("function_words"))
_NAMES_TOO = frozenset(("may", "will"))
_SMALL = re.compile(r"\s+[a-z]")
_IN_HEADINGS = frozenset(word_list("heading_words"))
_BRIEF = 25  # words of an answer up to which it may leave its topic out
_LETTERS = 3  # letters from which a beginning can stand for the whole: "Jan" for "January"
_MANY = 12  # words from which a text has enough function words to show that it is English


def missing_names(claim: str, evidence: str) -> list[str]:
    """The names of a claim that stand nowhere in the evidence, as the claim writes them.

    A name may be abbreviated, inflected, a nationality, or a surname alone; then it is not missing.
    """
    known = KnownNames.of(evidence)
    runs = _runs(claim, known)
    missing = [term.text for run in runs for term in run if not _excused(term, run, known)]
    return [] if missing and _leaves_topic_out(claim, evidence) else missing


def _leaves_topic_out(claim: str, evidence: str) -> bool:
    """Whether the evidence is a brief answer without any name besides the claim's.

    The question named its topic: "At most 2 GB." of "How large is a BLOB?".
    """
    if len(terms(evidence)) > _BRIEF:
        return False
    claimed = KnownNames.of(claim)
    return all(claimed.has(term) for run in _runs(evidence, claimed) for term in run)


class KnownNames:
    """What the evidence writes, in the forms in which a name may come back."""

    def __init__(self, text: str) -> None:
        plain = undotted(text)
        found = terms(plain)
        self.forms = {term.form for term in found}
        self.stems = {stem for term in found for stem in stems(term.form)}
        self.names = {t.form for t in found if t.text[0].isupper() and len(t.form) >= _LETTERS}
        self.names -= _FUNCTION_WORDS | GENERIC
        self.capitals = {term.text for term in found if term.text.isupper()}
        self.initials = "  ".join(initials(run) for run in _RUN.findall(plain))
        self.alone = _alone(plain)

    @staticmethod
    @lru_cache(maxsize=64)
    def of(text: str) -> KnownNames:
        """What a text writes; the last 64 are kept."""
        return KnownNames(text)

    def has(self, term: Term) -> bool:
        """Whether the evidence has a word in this or a closely related form."""
        form = term.form
        if form in self.forms or stems(form) & self.stems or nation(form) & self.forms:
            return True
        if term.text.isupper() and term.text in self.initials:
            return True
        if len(form) < _LETTERS:
            return False
        return any(name.startswith(form) or form.startswith(name) for name in self.names)


def undotted(text: str) -> str:
    """U.S.A. as USA."""
    return _DOTTED.sub(lambda found: found.group().replace(".", ""), text)


def initials(run: str) -> str:
    """WWII for "World War II", USA for "United States of America"."""
    words = re.findall(r"[A-Z][\w’']*", run)
    return "".join(word if word.isupper() else word[0] for word in words)


def _alone(text: str) -> set[str]:
    """The names that the evidence writes without another name before them."""
    return {terms(run)[0].form for run in _RUN.findall(text) if terms(run)}


@lru_cache(maxsize=65536)
def stems(form: str) -> frozenset[str]:
    """A name without the endings of nationalities: Italian and Italy share "ital"."""
    cut = {form.removesuffix(ending) for ending in _ENDINGS}
    return frozenset(stem for stem in cut if len(stem) >= _LETTERS + 1 or stem == form)


@lru_cache(maxsize=1)
def _nations() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pair in word_list("nations"):
        one, other = (terms(word)[0].form for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


def nation(form: str) -> set[str]:
    """What belongs to a country, or the country to which it belongs: french for france."""
    return _nations().get(form, set())


def _runs(claim: str, known: KnownNames) -> list[list[Term]]:
    """The names of a claim, each the list of its words; a lone known word may be left out."""
    text = undotted(claim)
    found = terms(text)
    if _is_heading(found) or (len(found) >= _MANY and not is_english(text)):
        return []
    runs: list[list[Term]] = []
    end = -1
    for term in found:
        if not _is_name(term, text, known):
            continue
        if runs and text[end : term.start].strip(" -") == "":
            runs[-1].append(term)
        else:
            runs.append([term])
        end = term.start + len(term.text)
    return runs


def _is_heading(found: Sequence[Term]) -> bool:
    """Whether all words but the small ones have a capital letter."""
    words = [term.text for term in found if term.text.casefold() not in _IN_HEADINGS]
    return len(words) > _LETTERS and not any(word[0].islower() for word in words)


def _is_name(term: Term, claim: str, known: KnownNames) -> bool:
    """Whether a word is a name; at an opening, where all have a capital, the tagger decides.

    It is not asked about "The", nor about a lone word that the evidence has anyhow.
    """
    text = term.text
    if term.is_number or len(text) < 2 or text.casefold() in GENERIC:
        return False
    if not text[0].isupper():
        return text.isascii() and text.isalnum() and not text.isalpha() and not text[0].isdigit()
    if _OPENING.search(claim[: term.start]) is None:
        return True
    if text.casefold() in _FUNCTION_WORDS - _NAMES_TOO:
        return False
    lone = _SMALL.match(claim, term.start + len(text)) is not None
    if lone and known.has(term):
        return False
    return term.start in _tagged_as_names(claim)


@lru_cache(maxsize=4096)
def _tagged_as_names(claim: str) -> frozenset[int]:
    """Where in a claim words stand that the tagger takes for names.

    So does a bare noun of which something is said: "Spot is her dog".
    """
    return frozenset(
        t.idx
        for t in parsed(claim[:_READ])
        if t.tag_ in ("NNP", "NNPS") or (t.tag_ == "NN" and _stands_bare(t))
    )


def _stands_bare(token: Any) -> bool:
    """Whether a noun without an article is the subject of "is" or "was"."""
    subject = token.dep_ == "nsubj" and token.head.lower_ in ("is", "was")
    return subject and not list(token.children)


def _excused(term: Term, run: Sequence[Term], known: KnownNames) -> bool:
    """Present, part of a longer name that mostly is, or before a surname that stands alone."""
    if known.has(term):
        return True
    present = sum(known.has(word) for word in run)
    if present > 1 and 2 * present >= len(run):
        return True
    following = run[run.index(term) + 1 :]
    if any(other.form in known.alone for other in following):
        return True
    return initials(" ".join(word.text for word in run)) in known.capitals and len(run) > 1

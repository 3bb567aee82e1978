"""Roles: who does something to whom, to see when a claim has the two the wrong way round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ragstone.local.english import parsed
from ragstone.local.terms import terms
from ragstone.local.wordlists import word_list

__all__ = ["Deed", "deeds", "swapped"]

_SYMMETRIC = frozenset(term.form for word in word_list("symmetric") for term in terms(word))
_MAX_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Deed:
    """A verb, who does it, and to whom, in comparable form."""

    verb: str
    agent: str
    patient: str


@lru_cache(maxsize=4096)
def deeds(sentence: str) -> tuple[Deed, ...]:
    """The deeds of an English sentence whose agent and patient are both words of their own."""
    if len(sentence) > _MAX_LENGTH:
        return ()
    return tuple(
        Deed(verb, agent, patient)
        for token in parsed(sentence)
        if token.tag_.startswith("VB") and (verb := _form(token)) not in _SYMMETRIC
        for agent in _agents(token)
        for patient in _patients(token)
    )


def swapped(claim: str, sentence: str) -> Deed | None:
    """A deed of the claim that the sentence tells with agent and patient exchanged."""
    told = deeds(sentence)
    for deed in deeds(claim):
        turned = Deed(deed.verb, deed.patient, deed.agent)
        if turned in told and deed not in told and deed.agent != deed.patient:
            return deed
    return None


def _form(token: Any) -> str:
    found = terms(token.text)
    return found[0].form if found else ""


def _agents(verb: Any) -> list[str]:
    by = [child for child in verb.children if child.dep_ == "agent"]
    heads = [t for t in verb.children if t.dep_ == "nsubj"]
    return _words(heads + [t for preposition in by for t in preposition.children])


def _patients(verb: Any) -> list[str]:
    return _words([t for t in verb.children if t.dep_ in ("dobj", "nsubjpass")])


def _words(tokens: list[Any]) -> list[str]:
    """The nouns and names among the tokens, with those coordinated with them; no pronouns."""
    everything = [one for token in tokens for one in (token, *token.conjuncts)]
    return [_form(token) for token in everything if token.tag_.startswith("NN") and _form(token)]

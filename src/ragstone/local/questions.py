"""Questions that a text answers, made by rules from spaCy's parse of its English statements.

"SQLite keeps 64 tables in a join" gives "How many tables does SQLite keep in a join?" and "What
keeps 64 tables in a join?". The words are those of the text; only the order and the verb change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ragstone.local.english import annotated, may_be_english

__all__ = ["questions"]

_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_OBJECTS = frozenset(("dobj", "attr", "oprd"))
_AUXILIARIES = frozenset(("aux", "auxpass"))
_WHEN = frozenset(("DATE", "TIME"))
_WHERE = frozenset(("GPE", "LOC", "FAC"))
_PRONOUNS = frozenset(("PRP", "DT", "EX", "WP", "WDT"))
_PEOPLE = frozenset(("he", "she", "i", "we", "who"))
_YOU = {"i": "you", "we": "you", "me": "you", "us": "you", "my": "your", "our": "your"}
_MAIN = ("ROOT", "conj", "ccomp", "parataxis")
_COUNTED = frozenset(("dobj", "attr", "oprd", "pobj", "npadvmod", "nsubj", "nsubjpass"))
_FULL = {"n't": "not", "n’t": "not", "ca": "can", "wo": "will", "sha": "shall"}
_FEW = 3  # words that a question has at least
_READ = 5000  # characters of a text that are parsed


def questions(text: str, statements: Sequence[str], count: int) -> list[str]:
    """At most `count` different questions, in turn from each statement of an English text.

    A statement gives, in this order, a question for a number, a date, a place, its object and its
    subject; a subject that is only a pronoun is not asked for. Empty for text of other languages
    and for statements without a subject and a verb.
    """
    if not may_be_english(text):
        return []
    doc = annotated(text[:_READ])
    asked = [list(_asked(doc, statement)) for statement in statements]
    turns = max(map(len, asked), default=0)
    found = [own[turn] for turn in range(turns) for own in asked if turn < len(own)]
    return list(dict.fromkeys(question for question in found if question))[:count]


def _asked(doc: Any, statement: str) -> Iterator[str]:
    start = doc.text.find(statement)
    span = (
        doc.char_span(start, start + len(statement), alignment_mode="expand")
        if start >= 0
        else None
    )
    verb = _main_verb(span) if span is not None else None
    if verb is None:
        return
    subject = next(child for child in verb.children if child.dep_ in _SUBJECTS)
    clause = _Clause(span, verb, subject)
    yield from clause.numbers()
    yield from clause.circumstances()
    yield from clause.objects()
    yield from clause.subjects()


def _main_verb(span: Any) -> Any:
    """The verb of the statement's main clause, if it has a subject; else one beside it."""
    verbs = [t for t in span if t.pos_ in ("VERB", "AUX") and _has_subject(t, span)]
    return next((t for dep in _MAIN for t in verbs if t.dep_ == dep), None)


def _has_subject(token: Any, span: Any) -> bool:
    return any(c.dep_ in _SUBJECTS and span.start <= c.i < span.end for c in token.children)


class _Clause:
    """A verb with its subject, and what else belongs to it within the statement."""

    def __init__(self, span: Any, verb: Any, subject: Any) -> None:
        self._span, self._verb = span, verb
        self._subject = self._phrase(subject)
        self._head = subject
        helpers = [c for c in verb.children if c.dep_ in _AUXILIARIES and c.i < verb.i]
        self._helper = next(iter(helpers), None)

    def _phrase(self, token: Any) -> list[Any]:
        """The words that hang on a token, within the statement, in order."""
        return [t for t in token.subtree if self._span.start <= t.i < self._span.end]

    def numbers(self) -> Iterator[str]:
        """How many ..., for each noun that a number counts."""
        for number in self._but(()):
            noun = number.head
            if not _counts(number):
                continue
            counted = self._phrase(noun)
            asking = ["How", "many", *_words(t for t in counted if number.i < t.i <= noun.i)]
            if noun is self._head:
                yield self._of_subject(asking + _words(t for t in counted if t.i > noun.i))
            elif noun.i > self._head.i:
                yield self._inverted(asking, self._role(noun))

    def circumstances(self) -> Iterator[str]:
        """When ... and where ..., for each date and place beside the verb."""
        for child in self._verb.children:
            inner = [t for t in child.children if t.dep_ == "pobj"]
            kind = inner[0].ent_type_ if child.dep_ == "prep" and inner else ""
            if child.dep_ == "npadvmod":
                kind = child.ent_type_
            if kind in _WHEN:
                yield self._inverted(["When"], self._phrase(child))
            elif kind in _WHERE:
                yield self._inverted(["Where"], self._phrase(child))

    def objects(self) -> Iterator[str]:
        """What or who ..., for what the verb is about."""
        for child in self._verb.children:
            if child.dep_ in _OBJECTS and child.i > self._verb.i:
                yield self._inverted([_who(child)], self._phrase(child))

    def subjects(self) -> Iterator[str]:
        """What or who ..., for the subject."""
        if self._head.tag_ not in _PRONOUNS:
            yield self._of_subject([_who(self._head)])

    def _role(self, noun: Any) -> list[Any]:
        """The phrase of a noun, with the preposition on which it hangs."""
        token = noun
        while token.dep_ == "pobj" and token.head.i > self._verb.i and token.head is not self._verb:
            token = token.head
        return self._phrase(token)

    def _within(self) -> list[Any]:
        return self._phrase(self._verb)

    def _of_subject(self, asking: list[str]) -> str:
        """The statement with other words in the subject's place."""
        left = self._but(self._subject)
        return _sentence([*asking, *_words(t for t in left if t.i > self._subject[-1].i)])

    def _inverted(self, asking: list[str], left_out: list[Any]) -> str:
        """The words of a question about a part that is left out: auxiliary, subject, verb, rest."""
        verb, helper = self._verb, self._helper
        rest = [t for t in self._but([*self._subject, *left_out]) if t.i > self._subject[-1].i]
        if helper is None and verb.lemma_ == "be":
            helper = verb
        if helper is not None:
            after = _words(t for t in rest if t.i != helper.i)
            return _sentence([*asking, *_words([helper]), *_words(self._subject), *after])
        do = {"VBZ": "does", "VBD": "did"}.get(verb.tag_, "do")
        before = _words(t for t in rest if t.i < verb.i)
        after = [*before, verb.lemma_, *_words(t for t in rest if t.i > verb.i)]
        return _sentence([*asking, do, *_words(self._subject), *after])

    def _but(self, left_out: Iterable[Any]) -> list[Any]:
        """The words of the clause without some, and without what is coordinated with the verb."""
        gone = {t.i for t in left_out}
        for child in self._verb.children:
            if child.dep_ in ("conj", "cc", "parataxis", "punct"):
                gone |= {t.i for t in child.subtree}
        return [t for t in self._within() if t.i not in gone]


def _counts(number: Any) -> bool:
    """Whether a number says how many there are of the noun after it."""
    noun = number.head
    if number.tag_ != "CD" or number.ent_type_ in (*_WHEN, "PERCENT", "MONEY"):
        return False
    if number.dep_ not in ("nummod", "compound") or noun.dep_ not in _COUNTED:
        return False
    return noun.i > number.i and noun.tag_ in ("NN", "NNS") and noun.text.isalpha()


def _who(token: Any) -> str:
    person = token.ent_type_ == "PERSON" and token.text.istitle()
    person = person or token.lower_ in _PEOPLE
    return "Who" if person else "What"


def _words(tokens: Iterable[Any]) -> list[str]:
    """The words as they stand in a question; what the text writes together stays so."""
    found: list[str] = []
    before = None
    for token in tokens:
        together = before is not None and token.i == before.i + 1 and not before.whitespace_
        if together and found:
            found[-1] += _word(token)
        elif not token.is_punct:
            found.append(_FULL.get(_word(token), _word(token)))
        before = token
    return found


def _word(token: Any) -> str:
    """A word without a capital that is no name's, and with the reader addressed."""
    lower = str(token.lower_)
    if lower in _YOU:
        return _YOU[lower]
    named = token.tag_ in ("NNP", "NNPS") or token.ent_type_ or not token.text[1:].islower()
    return str(token.text) if named and token.tag_ not in ("DT", "IN", "PRP") else lower


def _sentence(words: Sequence[str]) -> str:
    """The words as a question; empty when there are too few to ask anything."""
    text = " ".join(word for word in words if word)
    return text.strip(" ,;:.-–—") + "?" if len(words) >= _FEW else ""

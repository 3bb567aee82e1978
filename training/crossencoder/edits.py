"""Edits of one parsed sentence: such that keep it true, and such that make it false.

An edit takes a spaCy sentence, a source of chance and a pool of names, and gives the new text, or
None where it does not apply. Texts are lists of tokens with the white space that follows.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wordnet import general, opposites, special

Pool = Mapping[str, Sequence[str]]
Edit = Callable[[Any, random.Random, Pool], str | None]

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_PAIRS = [
    "more less", "before after", "first last", "increase decrease", "increased decreased",
    "north south", "east west", "northern southern", "eastern western", "largest smallest",
    "oldest youngest", "highest lowest", "older younger", "higher lower", "larger smaller",
    "won lost", "all no", "always never", "most few", "both neither", "early late", "mother father",
    "son daughter", "brother sister", "husband wife", "his her", "he she", "above below",
    "top bottom", "best worst", "begin end", "began ended", "opened closed", "bought sold",
    "rose fell", "male female", "public private", "left right", "major minor", "earlier later",
]  # fmt: skip
_OPPOSITE = {a: b for pair in _PAIRS for a, b in (pair.split(), pair.split()[::-1])}
_NUMBER_WORDS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]


def tidy(text: str) -> str:
    """One sentence as people write it: capital, single spaces, full stop."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:-")
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    text = re.sub(r"([,;])\s*([,;.])", r"\2", text)
    if text and text[-1] not in ".!?\"'":
        text += "."
    return text[:1].upper() + text[1:]


def replaced(sentence: Any, start: int, end: int, new: str) -> str:
    """The sentence with tokens start to end (of the document) replaced."""
    doc = sentence.doc
    gap = doc[end - 1].whitespace_ if end > start else ""
    before = doc[sentence.start : start]
    text = "".join(t.text_with_ws for t in before) + new + gap
    return tidy(text + "".join(t.text_with_ws for t in doc[end : sentence.end]))


def dropped(sentence: Any, tokens: set[int]) -> str:
    return tidy("".join(t.text_with_ws for t in sentence if t.i not in tokens))


# ---- edits that keep it true


def without_detail(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """Without one prepositional phrase, relative clause, apposition or adverb."""
    root = sentence.root
    parts = []
    for token in sentence:
        subtree = list(token.subtree)
        optional = token.dep_ in ("relcl", "appos", "advcl", "acl") or (
            token.dep_ in ("prep", "npadvmod", "advmod") and token.head == root
        )
        if optional and len(subtree) < len(sentence) - 5 and not _negative(subtree):
            parts.append({t.i for t in subtree})
    return dropped(sentence, chance.choice(parts)) if parts else None


def first_conjunct(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """Without the second of two joined parts."""
    for token in sentence:
        if token.dep_ == "conj" and token.head.i < token.i and not _negative(token.subtree):
            gone = {t.i for t in token.subtree}
            gone |= {
                t.i for t in token.head.children if t.dep_ in ("cc", "punct") and t.i < token.i
            }
            if token.head.dep_ != "conj" and len(sentence) - len(gone) >= 4:
                return dropped(sentence, gone)
    return None


def rounded(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """An exact number as "more than" or "about" a round one."""
    for token in sentence:
        digits = token.text.replace(",", "")
        if (
            token.like_num
            and digits.isdigit()
            and int(digits) > 30
            and token.ent_type_ not in _DATED
        ):
            scale = 10 ** (len(digits) - 1 - (len(digits) > 2))
            low = int(digits) // scale * scale
            if low and low != int(digits):
                word = chance.choice(["more than", "over", "about"])
                return replaced(sentence, token.i, token.i + 1, f"{word} {low:,}")
    return None


def generalized(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """A noun replaced by what it is a kind of."""
    found = [
        (t, word)
        for t in sentence
        if t.pos_ == "NOUN" and t.tag_ == "NN" and t.dep_ in ("attr", "pobj", "dobj")
        if not any(c.dep_ in ("compound", "amod") for c in t.children)
        if (word := general(t.lower_))
    ]
    if not found:
        return None
    token, word = chance.choice(found)
    return replaced(sentence, token.i, token.i + 1, word)


def by_surname(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """A person by the surname alone."""
    for name in sentence.ents:
        if name.label_ == "PERSON" and len(name) in (2, 3) and name[-1].text[0].isupper():
            return replaced(sentence, name.start, name.end, name[-1].text)
    return None


def passive(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """ "A wrote B" as "B was written by A"."""
    root = sentence.root
    subject = [c for c in root.children if c.dep_ == "nsubj"]
    target = [c for c in root.children if c.dep_ == "dobj"]
    if root.tag_ != "VBD" or len(subject) != 1 or len(target) != 1 or _negative(sentence):
        return None
    if any(c.dep_ in ("conj", "aux") for c in root.children) or not root.text.endswith("ed"):
        return None
    if subject[0].pos_ == "PRON" or target[0].pos_ == "PRON":
        return None
    agent, patient = (" ".join(_text(t.subtree).split()) for t in (subject[0], target[0]))
    verb = "were" if target[0].tag_ in ("NNS", "NNPS") else "was"
    rest = [
        t for t in sentence
        if t.i > max(x.i for x in target[0].subtree) and t.i != root.i and t.dep_ != "punct"
    ]  # fmt: skip
    return tidy(f"{patient} {verb} {root.text} by {agent} {_text(rest)}")


# ---- edits that make it false


def another_number(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    found = [t for t in sentence if t.like_num and _changed_number(t.text, random.Random(1))]
    if not found:
        return None
    token = chance.choice(found)
    new = _changed_number(token.text, chance)
    return replaced(sentence, token.i, token.i + 1, new) if new else None


def _changed_number(text: str, chance: random.Random) -> str | None:
    lower = text.lower()
    for words in (_NUMBER_WORDS, _ORDINALS):
        if lower in words:
            return chance.choice([word for word in words if word != lower])
    plain = text.replace(",", "")
    if re.fullmatch(r"\d+", plain):
        value = int(plain)
        if 1000 < value < 2100 and "," not in text:
            return str(value + chance.choice([-1, 1]) * chance.choice([1, 2, 3, 4, 6, 10, 12]))
        step = max(1, value // chance.choice([2, 3, 5, 9]))
        other = max(1, value + chance.choice([-1, 1]) * step)
        other += other == value
        return f"{other:,}" if "," in text else str(other)
    if re.fullmatch(r"\d+\.\d+", plain):
        places = len(plain.split(".")[1])
        return f"{float(plain) * chance.choice([0.4, 0.7, 1.3, 1.8]) + 0.1:.{places}f}"
    return None


def another_date(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    for token in sentence:
        for names in (_MONTHS, _DAYS):
            if token.text in names and token.ent_type_ == "DATE":
                new = chance.choice([name for name in names if name != token.text])
                return replaced(sentence, token.i, token.i + 1, new)
    return None


def another_name(sentence: Any, chance: random.Random, pool: Pool) -> str | None:
    """A name replaced by one of the same kind."""
    found = [e for e in sentence.ents if e.label_ in _NAMED]
    chance.shuffle(found)
    for name in found:
        others = [
            n for n in pool.get(name.label_, ()) if not set(n.split()) & set(name.text.split())
        ]
        if others:
            return replaced(sentence, name.start, name.end, chance.choice(others))
    return None


def negated(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """With "not" put in, or taken out, at the main verb or at one joined to it."""
    verbs = [t for t in sentence if t == sentence.root or (t.dep_ == "conj" and t.pos_ == "VERB")]
    chance.shuffle(verbs)
    return next((text for verb in verbs if (text := _negated_at(sentence, verb, chance))), None)


def _negated_at(sentence: Any, verb: Any, chance: random.Random) -> str | None:
    for token in verb.children:
        if token.dep_ == "neg" and token.lower_ in ("not", "n't", "never"):
            return dropped(sentence, {token.i})
    helpers = [t for t in verb.children if t.dep_ in ("aux", "auxpass") and t.lower_ != "to"]
    anchor = helpers[0] if helpers else verb
    if helpers or verb.lower_ in ("is", "are", "was", "were"):
        word = chance.choice([" not", " not", " never", "n't"])
        if word == "n't" and anchor.lower_ not in _SHORTENED:
            word = " not"
        return replaced(sentence, anchor.i, anchor.i + 1, f"{anchor.text}{word}")
    does = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(verb.tag_)
    if not does or not verb.lemma_:
        return None
    words = [f"{does} not {verb.lemma_}", f"{does}n't {verb.lemma_}", f"never {verb.text}"]
    return replaced(sentence, verb.i, verb.i + 1, chance.choice(words))


def opposite(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """With a word replaced by its opposite."""
    found = []
    for token in sentence:
        word = _OPPOSITE.get(token.lower_)
        if not word and token.pos_ in ("ADJ", "ADV") and token.tag_ in ("JJ", "RB"):
            word = next(iter(opposites(token.lower_, token.pos_)), None)
        if word:
            found.append((token, word))
    if not found:
        return None
    token, word = chance.choice(found)
    word = word.capitalize() if token.text[0].isupper() else word
    return replaced(sentence, token.i, token.i + 1, word)


def exchanged(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """With the doer and the one it is done to the other way round."""
    root = sentence.root
    first = [c for c in root.children if c.dep_ in ("nsubj", "nsubjpass")]
    second = [c for c in root.children if c.dep_ == "dobj"]
    second += [g for c in root.children if c.dep_ == "agent" for g in c.children]
    names = [c for c in (*first[:1], *second[:1]) if c.pos_ == "PROPN"]
    if len(names) != 2:
        return None
    a, b = (sorted(t.i for t in c.subtree) for c in names)
    if a[-1] >= b[0]:
        return None
    doc = sentence.doc
    text = _text(doc[sentence.start : a[0]]) + doc[b[0] : b[-1] + 1].text + " "
    text += _text(doc[a[-1] + 1 : b[0]]) + doc[a[0] : a[-1] + 1].text
    return tidy(text + " " + _text(doc[b[-1] + 1 : sentence.end]))


# ---- edits that say more than is known


def overclaimed(sentence: Any, chance: random.Random, pool: Pool) -> str | None:
    """With "only", "always" or a place or time that nobody mentioned."""
    root = sentence.root
    places = pool.get("GPE", ())
    choices = []
    if places and not any(e.label_ == "GPE" for e in sentence.ents):
        choices.append(f"{tidy(sentence.text).rstrip('.')} in {chance.choice(places)}.")
    if root.tag_ in ("VBD", "VBZ", "VBP") and root.pos_ == "VERB":
        word = chance.choice(["always", "only", "secretly", "repeatedly", "officially", "rarely"])
        choices.append(replaced(sentence, root.i, root.i, f"{word} "))
    years = pool.get("DATE", ())
    if years and not any(e.label_ == "DATE" for e in sentence.ents):
        choices.append(f"{tidy(sentence.text).rstrip('.')} in {chance.choice(years)}.")
    return chance.choice(choices) if choices else None


def specialized(sentence: Any, chance: random.Random, _: Pool) -> str | None:
    """A noun replaced by one of its kinds."""
    for token in sentence:
        if token.tag_ == "NN" and token.dep_ in ("attr", "dobj", "pobj"):
            word = special(token.lower_, chance.randrange(1000))
            if word:
                return replaced(sentence, token.i, token.i + 1, word)
    return None


KEEPING: tuple[Edit, ...] = (
    without_detail, without_detail, first_conjunct, rounded, generalized, by_surname, passive,
)  # fmt: skip
FALSIFYING: tuple[Edit, ...] = (
    another_number, another_number, another_date, another_name, another_name, negated, opposite,
    opposite, exchanged,
)  # fmt: skip
EXCEEDING: tuple[Edit, ...] = (overclaimed, overclaimed, specialized)

_NAMED = ("PERSON", "GPE", "ORG", "NORP", "LOC", "WORK_OF_ART")
_DATED = ("DATE", "TIME")
_SHORTENED = (
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "did",
    "does",
    "do",
    "could",
    "would",
)


def _negative(tokens: Any) -> bool:
    return any(t.dep_ == "neg" or t.lower_ in ("no", "never", "without", "unless") for t in tokens)


def _text(tokens: Any) -> str:
    return "".join(t.text_with_ws for t in tokens)

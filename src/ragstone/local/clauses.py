"""Clauses: a sentence of several statements, cut where each part can stand for itself.

"The bridge opened in 1932 and carries trains" becomes "The bridge opened in 1932" and "The bridge
carries trains". Where a part could mean something else alone (conditions, choices, shared
negations, quoted speech, no subject to carry over) the sentence stays whole.
"""

from __future__ import annotations

import re
from typing import Any

from ragstone.local.english import parsed

__all__ = ["clauses", "states_something"]

_JOINED = re.compile(r"[,;:&–—/(-]|\b(?:and|but|then|yet|plus|or)\b", re.IGNORECASE)
"""What joins two verbs: without one of these a sentence is not read, and loads no grammar."""
_QUOTED = re.compile(r"[\"“”«»「」]")
_WORD = re.compile(r"\w+")
_CONDITIONS = frozenset(
    ("if", "unless", "when", "whenever", "while", "until", "once", "because", "since", "so")
)
_WHOLE = frozenset(("either", "neither", "both", "nor", "or", "whether"))
_PARTICIPLES = frozenset(("VBN", "VBG", "VB"))
_AUXILIARIES = frozenset(("aux", "auxpass"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl", "csubj"))
_NOUNS = ("NN", "PRP")
_MAX_LENGTH = 1000
_MIN_WORDS = 3


def clauses(sentence: str) -> list[str]:
    """The statements of one English sentence; the sentence itself when it cannot be cut safely."""
    if len(sentence) > _MAX_LENGTH or not _may_be_cut(sentence):
        return [sentence]
    roots = [token for token in parsed(sentence) if token.dep_ == "ROOT"]
    if len(roots) != 1 or not _can_be_cut(roots[0]):
        return [sentence]
    heads = [roots[0], *_coordinated(roots[0])]
    parts = [_part(heads, n) for n in range(len(heads))]
    whole = [part for part in parts if part is not None]
    if len(whole) < 2 or len(whole) < len(heads):
        return [sentence]
    return whole


def states_something(line: str) -> bool:
    """Whether an English heading has a subject and a verb of its own."""
    if len(line) > _MAX_LENGTH:
        return True
    return any(token.dep_ in _SUBJECTS and token.head.tag_ in _FINITE for token in parsed(line))


_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))


def _may_be_cut(sentence: str) -> bool:
    """Whether its words alone allow a cut."""
    words = {word.casefold() for word in _WORD.findall(sentence)}
    joined = _JOINED.search(sentence) is not None and not words & (_CONDITIONS | _WHOLE)
    return joined and not _QUOTED.search(sentence)


def _can_be_cut(root: Any) -> bool:
    has_subject = any(child.dep_ in _SUBJECTS for child in root.children)
    verb = root.tag_.startswith(("VB", "MD"))
    return has_subject and verb and _coordinated(root) != []


def _coordinated(root: Any) -> list[Any]:
    """The verbs that are coordinated with the main verb, in order."""
    found: list[Any] = []
    head = root
    while True:
        following = [c for c in head.children if c.dep_ == "conj" and c.tag_.startswith("VB")]
        if len(following) != 1:
            return found
        head = following[0]
        found.append(head)


def _part(heads: list[Any], n: int) -> str | None:
    """The statement of verb `n`, or None when it cannot stand alone."""
    head = heads[n]
    text = _own_words(head, heads[n + 1] if n + 1 < len(heads) else None)
    if n > 0 and not _has_subject(head):
        carried = _carried(heads[0], head) if _complete(heads[n - 1]) else None
        text = None if carried is None or text is None else f"{carried} {text}"
    return text if text is not None and len(text.split()) >= _MIN_WORDS else None


def _own_words(head: Any, following: Any) -> str | None:
    """The text that belongs to one verb, without what belongs to the next one."""
    cut = set() if following is None else {t.i for t in _with_subject(following)}
    kept = [t for t in _with_subject(head) if t.i not in cut]
    if head.dep_ == "conj":
        lefts = [*head.lefts, *_misread_subject(head)]
        first = min([head.i, *(child.left_edge.i for child in lefts)])
        kept = [t for t in kept if t.i >= first]
    while kept and (kept[-1].tag_ == "CC" or kept[-1].text in ".,;:!?" or kept[-1].is_space):
        kept.pop()
    while kept and (kept[0].dep_ == "cc" or kept[0].is_space or kept[0].text in ",;"):
        kept.pop(0)
    if not kept or kept[-1].i - kept[0].i + 1 != len(kept):
        return None  # interrupted by the other part: no stretch of the text
    text: str = head.doc[kept[0].i : kept[-1].i + 1].text
    return text.strip()


def _has_subject(head: Any) -> bool:
    return any(c.dep_ in _SUBJECTS for c in head.children) or bool(_misread_subject(head))


def _with_subject(head: Any) -> list[Any]:
    """The words of a verb, with those of a subject that the parser gave to another noun."""
    found = {t.i: t for part in (head, *_misread_subject(head)) for t in part.subtree}
    return [found[i] for i in sorted(found)]


def _misread_subject(head: Any) -> tuple[Any, ...]:
    """The noun right before a verb, where the parser coordinated it with the noun before it.

    In "Ada is his aunt and Eve is his niece" it may read "his aunt and Eve".
    """
    before = head.nbor(-1) if head.i > 0 else head
    misread = head.dep_ == "conj" and before.dep_ == "conj" and before.tag_.startswith(_NOUNS)
    return (before,) if misread else ()


def _complete(head: Any) -> bool:
    """Whether a verb has something after it: in "reads and writes files" both need the files."""
    return any(child.dep_ not in ("cc", "conj", "punct") for child in head.rights)


def _carried(root: Any, head: Any) -> str | None:
    """The subject, and the auxiliaries that a participle shares with the main verb."""
    subject = next(child for child in root.children if child.dep_ in _SUBJECTS)
    if any(child.dep_ == "neg" for child in root.children):
        return None  # "does not read and write": the negation may cover both
    words = [root.doc[subject.left_edge.i : subject.right_edge.i + 1].text]
    own = any(child.dep_ in _AUXILIARIES for child in head.children)
    passive = any(child.dep_ == "auxpass" for child in root.children)
    if passive and not own and head.tag_ == "VBD":
        return (
            None  # "was born in Paris and raised in Lyon": the parser took a participle for a past
        )
    if head.tag_ in _PARTICIPLES and not own:
        shared = [child.text for child in root.lefts if child.dep_ in _AUXILIARIES]
        if not shared:
            return None
        words += shared
    return " ".join(words)

"""topics/inside: is a text about one of the topics."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import Unscored
from ragstone.local.encoder import Encoder
from ragstone.local.terms import in_latin_script, terms
from ragstone.local.verdict import NO_WORDS
from ragstone.prompt.items import Item, VerdictList
from ragstone.prompt.topics import TopicsIn, TopicVerdict

__all__ = ["inside_topics"]

_INSIDE = 0.22
"""Cosine of a text and the name of its topic from which on it is inside; see local-judge.md."""


def inside_topics(data: TopicsIn, model: Encoder) -> VerdictList[TopicVerdict]:
    """One verdict for every item, by its nearness to the nearest topic.

    Raises Unscored("no_topic") when no topic holds a word.
    """
    topics = [topic for topic in dict.fromkeys(data.topics) if terms(topic)]
    if not topics:
        raise Unscored("no_topic", "no topic holds a word to compare with")
    return VerdictList[TopicVerdict](
        verdicts=[_verdict(item, topics, model) for item in data.items]
    )


def _verdict(item: Item, topics: Sequence[str], model: Encoder) -> TopicVerdict:
    if not terms(item.text):
        return TopicVerdict(id=item.id, verdict="outside", reason=NO_WORDS)
    nearness, topic = max((_nearness(item.text, topic, model), topic) for topic in topics)
    return TopicVerdict(
        id=item.id,
        verdict="inside" if nearness >= _INSIDE else "outside",
        reason=f"the nearest topic is {topic!r}, at {nearness:.2f} (inside from {_INSIDE} on)",
    )


def _nearness(text: str, topic: str, model: Encoder) -> float:
    """Cosine; for scripts that the embedder does not know, the share of the topic's words."""
    if not in_latin_script(text + topic):
        named = {term.form for term in terms(topic)}
        return len(named & {term.form for term in terms(text)}) / len(named)
    mine, its = model.vectors([text, topic]).astype(float)
    return float(mine @ its)

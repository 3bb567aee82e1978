"""topics/inside: is a text about one of the topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragstone.errors import Unscored
from ragstone.local.encoder import Encoder
from ragstone.local.terms import in_latin_script, terms
from ragstone.local.verdict import NO_WORDS
from ragstone.local.wordlists import word_list
from ragstone.prompt.items import Item, VerdictList
from ragstone.prompt.topics import TopicsIn, TopicVerdict

__all__ = ["inside_topics"]

_NEAR = 0.13
_NEARER = 0.06
"""The least cosine with a topic, and by how much it must exceed that with everyday subjects on
average; chosen on sentences of our own, see local-judge.md."""
_SHARE = 0.5  # of the topic's words, for scripts that the embedder does not know


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
    margin, topic = max((_margin(item.text, topic, model), topic) for topic in topics)
    return TopicVerdict(
        id=item.id,
        verdict="inside" if margin >= 0.0 else "outside",
        reason=f"the nearest topic is {topic!r}, by {margin:+.2f} from where it would be inside",
    )


def _margin(text: str, topic: str, model: Encoder) -> float:
    """How far beyond the border between outside and inside a text is; negative for outside.

    A cosine means little by itself, since some texts are near to everything. So it is also compared
    with the mean of the cosines with everyday subjects.
    """
    if not in_latin_script(text + topic):
        named = {term.form for term in terms(topic)}
        return len(named & {term.form for term in terms(text)}) / len(named) - _SHARE
    mine, its, *others = model.vectors([text, topic, *word_list("subjects")]).astype(float)
    cosine, usual = float(mine @ its), float(mine @ np.mean(others, axis=0))
    return min(cosine - _NEAR, cosine - usual - _NEARER)

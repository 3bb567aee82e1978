"""Topic adherence: does the application answer what belongs to its topics, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import Unscored
from ragstone.metrics._conversation import Conversation, messages_of, need_both, quoted
from ragstone.metrics._counts import CountMode, f_beta, precision, recall
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.metrics.base import Metric
from ragstone.prompt.conversation import ConversationIn
from ragstone.prompt.items import VerdictList
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.topics import (
    RAISED_TOPICS,
    TOPICS,
    RaisedTopic,
    RaisedTopics,
    TopicsIn,
    TopicVerdict,
)
from ragstone.schema.messages import HumanMessage, conversation_text
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge, fit

__all__ = ["TopicAdherence"]

_TP, _FP, _FN = "answered_inside", "answered_outside", "refused_inside"


@dataclass(frozen=True, kw_only=True)
class TopicAdherence(Metric):
    """Agreement of the topics answered with the reference topics, 0 to 1, higher is better.

    Of the topics that the user raises, those answered and inside the reference topics are true
    positives, those answered and outside are false positives, those refused and inside are false
    negatives; `mode` is precision, recall or f1 over them. When all are outside and all refused:
    1. The local judge cannot tell which topics are raised. Unscored: a conversation in which one
    side says nothing, or the user raises no topic; blank reference topics; a topic that is said to
    be answered and refused at once, asked twice. Calls: one for the topics with their answers, one
    for every 50 of them. Source: Ragas documentation, topic adherence.
    """

    name: str = "topic_adherence"
    mode: CountMode = "f1"
    topic_extraction_prompt: Prompt[ConversationIn, RaisedTopics] = RAISED_TOPICS
    topic_classification_prompt: Prompt[TopicsIn, VerdictList[TopicVerdict]] = TOPICS

    async def measure(
        self, user_input: Conversation, reference_topics: Sequence[str], *, judge: Judge
    ) -> MetricResult:
        """List the topics that the user raises, and look for each among the reference topics."""
        messages = need_both(messages_of(self.key, user_input))
        wanted = [topic for topic in reference_topics if not blank(topic)]
        if not wanted:
            raise Unscored("no_reference", "there are no reference topics, or only blank ones")
        pieces = fit(judge, conversation_text(messages))
        found = await together(self._raised(piece, judge) for piece in pieces)
        raised = _merged([topic for topics in found for topic in topics])
        if not raised:
            raise Unscored("no_topic", "the user raises no topic")
        texts = [topic.topic for topic in raised]
        verdicts = await judge.verdicts(self.topic_classification_prompt, texts, topics=wanted)
        evidence = tuple(
            Evidence(
                topic.topic,
                f"{topic.reply}_{verdict.verdict}",
                verdict.reason,
                quoted(topic.quote, messages, HumanMessage),
            )
            for topic, verdict in zip(raised, verdicts, strict=True)
        )
        return self._score(Counter(piece.verdict for piece in evidence), evidence)

    async def _raised(self, text: str, judge: Judge) -> list[RaisedTopic]:
        """The topics of a text; a reply that contradicts itself is asked for once more."""
        for attempt in range(2):
            data = ConversationIn(conversation=text)
            reply = await judge.ask(self.topic_extraction_prompt, data, sample=attempt)
            topics = [topic for topic in reply.topics if not blank(topic.topic)]
            if len({(_key(t), t.reply) for t in topics}) == len({_key(t) for t in topics}):
                return topics
        raise Unscored("missing_verdicts", "a topic is both answered and refused, asked twice")

    def _score(self, counts: Counter[str], evidence: tuple[Evidence, ...]) -> MetricResult:
        tp, fp, fn = counts[_TP], counts[_FP], counts[_FN]
        if not tp + fp + fn:
            reason = f"{counts.total()} topics, all outside and all refused"
            return MetricResult(1.0, reason=reason, evidence=evidence)
        p, r = precision(tp, fp), recall(tp, fn)
        value = {"precision": p, "recall": r, "f1": f_beta(p, r)}[self.mode]
        reason = f"{counts.total()} topics: TP {tp}, FP {fp}, FN {fn}"
        return MetricResult(value, reason=reason, evidence=evidence)


def _key(topic: RaisedTopic) -> str:
    return " ".join(topic.topic.casefold().split())


def _merged(topics: Sequence[RaisedTopic]) -> list[RaisedTopic]:
    """Each topic once; one that is answered in any part of a long conversation is answered."""
    kept: dict[str, RaisedTopic] = {}
    for topic in topics:
        key = _key(topic)
        if key not in kept or (kept[key].reply == "refused" and topic.reply == "answered"):
            kept[key] = topic
    return list(kept.values())

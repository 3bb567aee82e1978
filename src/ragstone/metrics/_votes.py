"""Independent answers to one question, and their majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from ragstone.errors import Unscored
from ragstone.metrics._together import together
from ragstone.prompt.prompt import Prompt
from ragstone.tools.judge import Judge

__all__ = ["Vote", "ask_often", "in_words", "majority"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)
Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Vote(Generic[Label]):
    """The label that most answers gave, and the share of answers that gave it."""

    label: Label
    agreement: float


async def ask_often(judge: Judge, prompt: Prompt[In, Out], data: In, times: int) -> list[Out]:
    """Ask the same question `times` times, as independent samples."""
    return await together(judge.ask(prompt, data, sample=number) for number in range(times))


def majority(labels: Sequence[Label]) -> Vote[Label]:
    """The most frequent label; Unscored("tie") when two are equally frequent."""
    ranked = Counter(labels).most_common()
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        raise Unscored("tie", f"the votes are tied: {dict(ranked)}")
    return Vote(ranked[0][0], ranked[0][1] / len(labels))


def in_words(vote: Vote[Label], answers: Sequence[tuple[Label, str]]) -> str:
    """The first reason given for the winning label, and how many of several answers agreed."""
    reason = next(reason for label, reason in answers if label == vote.label)
    if len(answers) == 1:
        return reason
    return f"{reason} ({vote.agreement:.0%} of {len(answers)} answers)"

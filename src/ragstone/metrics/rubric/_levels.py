"""The levels of a rubric: whole numbers, each with what earns it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ragstone.errors import UsageError
from ragstone.metrics._texts import blank
from ragstone.prompt.criteria import GRADE, AspectIn, Grade, label_reply
from ragstone.prompt.prompt import Prompt
from ragstone.schema.results import Evidence, MetricResult
from ragstone.tools.judge import Judge

__all__ = ["GRADE", "GradePrompt", "ask_grade", "in_text", "narrowed", "read_levels"]

GradePrompt = Prompt[AspectIn, Grade]
_KEY = re.compile(r"score_?(-?\d+)_description")


def read_levels(rubrics: Mapping[str, str]) -> dict[int, str]:
    """What earns each score, the lowest first, out of {"score1_description": "...", ...}.

    Raises UsageError for other keys, fewer than two levels, and a level without words.
    """
    levels: dict[int, str] = {}
    for key, words in rubrics.items():
        found = _KEY.fullmatch(key)
        if found is None:
            raise UsageError(f"a rubric has keys such as 'score1_description', not {key!r}")
        if not isinstance(words, str) or blank(words):
            raise UsageError(f"the rubric says nothing for {key!r}")
        if int(found[1]) in levels:
            raise UsageError(f"the rubric has two descriptions of the score {int(found[1])}")
        levels[int(found[1])] = words.strip()
    if len(levels) < 2:
        raise UsageError(f"a rubric needs two or more levels, not {sorted(levels)!r}")
    return dict(sorted(levels.items()))


def in_text(levels: Mapping[int, str]) -> str:
    """The rubric as the judge reads it."""
    return "\n".join(f"score {level}: {words}" for level, words in levels.items())


@lru_cache(maxsize=256)
def narrowed(prompt: GradePrompt, levels: tuple[int, ...]) -> Prompt[AspectIn, Any]:
    """The prompt with a reply that can be one of the levels only."""
    form: Any = label_reply(levels)
    return replace(prompt, output=form)


async def ask_grade(
    judge: Judge, prompt: GradePrompt, data: AspectIn, levels: Mapping[int, str]
) -> MetricResult:
    """One of the levels, with the reason and the words of the level as evidence."""
    reply = await judge.ask(narrowed(prompt, tuple(levels)), data)
    piece = Evidence(text=levels[reply.value], verdict=str(reply.value), reason=reply.reason)
    return MetricResult(reply.value, reason=reply.reason, evidence=(piece,))

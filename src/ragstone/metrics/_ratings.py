"""Two ratings of one thing, in different words, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from ragstone.errors import BadReply, Unscored
from ragstone.metrics._texts import blank
from ragstone.metrics._together import together
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.ratings import AccuracyRating, GroundednessRating, Rating
from ragstone.schema.results import Evidence, MetricResult, Span
from ragstone.tools.judge import Judge, split_data

__all__ = ["in_parts", "rate_twice"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", AccuracyRating, GroundednessRating, Rating)

_NAMES = ("first rating", "second rating")


def in_parts(judge: Judge, form: type[In], contexts: Sequence[str], **beside: str) -> Sequence[In]:
    """The question's data, in parts when the contexts are too long for one question."""
    shared = {**beside, "contexts": [text for text in contexts if not blank(text)]}
    return [form(**part) for part in split_data("contexts", shared, judge.window)]


async def rate_twice(
    judge: Judge,
    prompts: tuple[Prompt[In, Out], Prompt[In, Out]],
    data: tuple[Sequence[In], Sequence[In]],
    top: int,
    spans: tuple[Span, ...],
) -> MetricResult:
    """The mean of both ratings as shares of `top`; of data in parts the best rating counts.

    When the judge has no usable rating for one of the two, the other one counts alone, and the
    reason says so. When it has none at all, the error is raised.
    """
    asked = zip(prompts, data, strict=True)
    found = await together(_rated(judge, prompt, parts) for prompt, parts in asked)
    ratings = [each.rating for each in found if each.rating is not None]
    lacks = {name: each.lack for name, each in zip(_NAMES, found, strict=True) if each.lack}
    if not ratings:
        raise max(lacks.values(), key=lambda lack: isinstance(lack, BadReply))
    evidence = tuple(
        Evidence(name, str(each.rating), weight=(each.rating or 0) / top, spans=spans)
        if each.lack is None
        else Evidence(name, "none", reason=str(each.lack), spans=spans)
        for name, each in zip(_NAMES, found, strict=True)
    )
    said = f"rated {' and '.join(map(str, ratings))} of {top}"
    reason = said + "".join(f"; no {name}: {lack}" for name, lack in lacks.items())
    return MetricResult(sum(ratings) / (top * len(ratings)), reason=reason, evidence=evidence)


@dataclass(frozen=True, slots=True)
class _Rated:
    """A rating, or why there is none."""

    rating: int | None = None
    lack: Unscored | BadReply | None = None


async def _rated(judge: Judge, prompt: Prompt[In, Out], parts: Sequence[In]) -> _Rated:
    try:
        replies = await together(judge.ask(prompt, part) for part in parts)
        ratings = [int(reply.rating) for reply in replies if reply.rating.isdigit()]
        if not ratings:
            raise Unscored("refusal", "the response states nothing, or declines to answer")
    except (Unscored, BadReply) as error:
        return _Rated(lack=error)
    return _Rated(max(ratings))

"""Ratings: one closed grade, asked for twice in different words, without an explanation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from ragstone.prompt.prompt import Prompt

__all__ = [
    "ACCURACY_1",
    "ACCURACY_2",
    "GROUNDEDNESS_1",
    "GROUNDEDNESS_2",
    "RELEVANCE_1",
    "RELEVANCE_2",
    "AccuracyIn",
    "AccuracyRating",
    "GroundednessIn",
    "GroundednessRating",
    "Rating",
    "RelevanceRatingIn",
]


def _number_as_text(value: Any) -> Any:
    """Models write the label "2" as the number 2."""
    return str(value) if type(value) is int else value


class AccuracyIn(BaseModel):
    """Two answers to a question; which of them is held against the other tells the prompt."""

    model_config = ConfigDict(frozen=True)

    question: str | None = None
    answer: str
    reference: str


class AccuracyRating(BaseModel):
    """How much agrees: all of it ("4"), a part ("2"), nothing ("0")."""

    model_config = ConfigDict(frozen=True)

    rating: Annotated[Literal["0", "2", "4"], BeforeValidator(_number_as_text)]


class RelevanceRatingIn(BaseModel):
    """A question, and all that was retrieved for it."""

    model_config = ConfigDict(frozen=True)

    question: str
    contexts: list[str]


class GroundednessIn(BaseModel):
    """A response, and all that was retrieved for it."""

    model_config = ConfigDict(frozen=True)

    response: str
    contexts: list[str]


class Rating(BaseModel):
    """In full ("2"), in part ("1"), or not at all ("0")."""

    model_config = ConfigDict(frozen=True)

    rating: Annotated[Literal["0", "1", "2"], BeforeValidator(_number_as_text)]


class GroundednessRating(BaseModel):
    """In full ("2"), in part ("1"), not at all ("0"), or there is nothing that could be."""

    model_config = ConfigDict(frozen=True)

    rating: Annotated[Literal["0", "1", "2", "nothing_stated"], BeforeValidator(_number_as_text)]


ACCURACY_1 = Prompt("ratings/accuracy_1", AccuracyIn, AccuracyRating)
ACCURACY_2 = Prompt("ratings/accuracy_2", AccuracyIn, AccuracyRating)
RELEVANCE_1 = Prompt("ratings/relevance_1", RelevanceRatingIn, Rating)
RELEVANCE_2 = Prompt("ratings/relevance_2", RelevanceRatingIn, Rating)
GROUNDEDNESS_1 = Prompt("ratings/groundedness_1", GroundednessIn, GroundednessRating)
GROUNDEDNESS_2 = Prompt("ratings/groundedness_2", GroundednessIn, GroundednessRating)

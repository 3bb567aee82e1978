"""ratings/groundedness: how far the contexts support a response, in three grades."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.handlers.support import support_verdicts
from ragstone.local.statements import read
from ragstone.local.support import Entailment
from ragstone.prompt.items import to_items
from ragstone.prompt.ratings import GroundednessIn, GroundednessRating

__all__ = ["rate_groundedness"]


def rate_groundedness(
    entailment: Entailment, data: GroundednessIn, model: Encoder
) -> GroundednessRating:
    """In full when all statements are supported, not at all when none is, else in part."""
    found = read(data.response)
    if not found.texts:
        return GroundednessRating(rating="nothing_stated")
    verdicts = support_verdicts(entailment, to_items(found.texts), data.contexts, model)
    supported = sum(verdict.verdict == "supported" for verdict in verdicts)
    if supported == len(verdicts):
        return GroundednessRating(rating="2")
    return GroundednessRating(rating="1" if supported else "0")

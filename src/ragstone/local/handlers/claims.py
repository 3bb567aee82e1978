"""claims/extract: the statements of a text."""

from __future__ import annotations

from ragstone.local.encoder import Encoder
from ragstone.local.salience import most_telling
from ragstone.local.statements import read
from ragstone.prompt.claims import Claims, ClaimsIn

__all__ = ["extract_claims"]


def extract_claims(data: ClaimsIn, model: Encoder) -> Claims:
    """The statements of the text; with low coverage the half that says most."""
    found = read(data.text, atomic=data.atomicity == "high")
    claims = list(found.texts)
    if data.coverage == "low":
        kept = set(most_telling(claims, data.text, (len(claims) + 1) // 2, model))
        claims = [claim for claim in claims if claim in kept]
    return Claims(refuses=found.refuses, claims=claims)

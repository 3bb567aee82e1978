"""What a row is about, in one text."""

from __future__ import annotations

from ragstone.schema.samples import Sample

__all__ = ["row_title"]


def row_title(sample: Sample) -> str:
    """The question, the first message of a conversation, else the response; may be empty."""
    asked = sample.user_input
    if isinstance(asked, str):
        return asked
    return asked[0].content if asked else sample.response or ""

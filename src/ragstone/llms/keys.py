"""The key of a question: what it is made of, so that an answer is reused only where it is one.

It holds all that can move an answer: provider, endpoint, model, sampling parameters, system
prompt, the prompt's id, version, words, language and output schema, the number of the sample,
the text with the data, and the pictures. It does not hold the API key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pydantic_core

from ragstone.prompt.images import Image
from ragstone.prompt.prompt import Prompt

__all__ = ["QuestionKeys"]

_MOST_PROMPTS = 1024
_FORMAT = 1  # changed when replies are read or written in another way


class QuestionKeys:
    """Keys for the questions of one judge; what stays the same is hashed once a prompt."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self._judge = [_FORMAT, name, dict(settings)]
        self._beginnings: dict[tuple[str, str, str, str], Any] = {}

    def key(
        self,
        prompt: Prompt[Any, Any],
        system: str,
        user: str,
        sample: int,
        images: Sequence[Image] = (),
    ) -> str:
        """The key: 64 hexadecimal digits."""
        known = (prompt.id, prompt.version, prompt.content_hash, prompt.language)
        beginning = self._beginnings.get(known)
        if beginning is None:
            if len(self._beginnings) >= _MOST_PROMPTS:  # own prompts can be made without end
                self._beginnings.clear()
            parts = [self._judge, *known, prompt.schema_json, system]
            beginning = hashlib.sha256(pydantic_core.to_json(parts, fallback=repr))
            self._beginnings[known] = beginning
        digest = beginning.copy()
        digest.update(f"\n{sample}\n{user}".encode("utf-8", "surrogatepass"))
        for image in images:
            digest.update(f"\0{image.media_type}\0{image.sha256}".encode())
        return str(digest.hexdigest())

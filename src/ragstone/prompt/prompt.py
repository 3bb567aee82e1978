"""A prompt: a typed question to a judge."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import pydantic_core
from pydantic import BaseModel

from ragstone.prompt.words import Example, Words, load_words

__all__ = ["Prompt"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


@dataclass(frozen=True)
class Prompt(Generic[In, Out]):
    """A typed question: `input` goes in, `output` must come back, `id` finds its words.

    `own_words` replaces the words of the library, for a user's own instruction or examples.
    `split` names the list field of the input that may be cut in parts when the data are too long
    for one question (the verdicts are then combined). A prompt is immutable and holds no state.
    """

    id: str
    input: type[In]
    output: type[Out]
    language: str = "en"
    split: str | None = None
    own_words: Words | None = None

    @cached_property
    def words(self) -> Words:
        """The words in this prompt's language."""
        return self.own_words or load_words(self.id, self.language)

    @property
    def instruction(self) -> str:
        """What the judge is told to do."""
        return self.words.instruction

    @property
    def examples(self) -> list[tuple[In, Out]]:
        """The worked examples as typed pairs."""
        return [
            (self.input.model_validate(e.input), self.output.model_validate(e.output))
            for e in self.words.examples
        ]

    @property
    def version(self) -> str:
        """The version of the words."""
        return self.words.version

    @cached_property
    def schema_json(self) -> str:
        """The JSON Schema of the output, as compact JSON."""
        return pydantic_core.to_json(self.output.model_json_schema()).decode()

    @cached_property
    def content_hash(self) -> str:
        """Hash of all that the judge reads besides the data: words and output schema."""
        examples = [[e.input, e.output] for e in self.words.examples]
        text = pydantic_core.to_json([self.instruction, examples, self.schema_json])
        return hashlib.sha256(text).hexdigest()[:16]

    def describe(self) -> dict[str, str]:
        """Id, version, content hash and language: what a run stores of a prompt."""
        return {
            "id": self.id,
            "version": self.version,
            "hash": self.content_hash,
            "language": self.language,
        }

    def with_words(
        self, *, instruction: str | None = None, examples: Sequence[tuple[In, Out]] | None = None
    ) -> Prompt[In, Out]:
        """A copy of this prompt with another instruction or other examples."""
        old = self.words
        new = old.examples if examples is None else tuple(_example(i, o) for i, o in examples)
        words = Words(old.version, old.instruction if instruction is None else instruction, new)
        return replace(self, own_words=words)

    def to_string(self, data: In) -> str:
        """The whole prompt as the judge reads it."""
        from ragstone.prompt.render import render

        rendered = render(self, data)
        return f"{rendered.system}\n\n{rendered.user}"

    def dump(self, data: In) -> dict[str, Any]:
        """The input as plain data, for traces and keys."""
        return data.model_dump(mode="json", exclude_none=True)


def _example(data: BaseModel, reply: BaseModel) -> Example:
    return Example(data.model_dump(mode="json"), reply.model_dump(mode="json"))

"""A prompt: a typed question to a judge."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pydantic_core
from pydantic import BaseModel

from ragstone.errors import UsageError
from ragstone.prompt.files import json_path, read_json, write_json
from ragstone.prompt.words import Example, Words, load_words

if TYPE_CHECKING:
    from ragstone.prompt.adapting import Translator

__all__ = ["Prompt", "to_example"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


@dataclass(frozen=True)
class Prompt(Generic[In, Out]):
    """A typed question: `input` goes in, `output` must come back, `id` finds its words.

    `own_words` replaces the words of the library, for a user's own instruction or examples.
    `split` names the list field of the input that may be cut in parts when the data are too long
    for one question (the verdicts are then combined). A prompt is immutable and holds no state:
    what changes it returns another prompt.
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
        self,
        *,
        instruction: str | None = None,
        examples: Sequence[tuple[In, Out]] | None = None,
        language: str | None = None,
    ) -> Prompt[In, Out]:
        """The prompt with another instruction or other examples, and the language they are in.

        Raises UsageError for an example that does not fit the types of the prompt.
        """
        old = self.words
        new = old.examples
        if examples is not None:
            new = tuple(to_example(pair, self.input, self.output) for pair in examples)
        words = Words(old.version, old.instruction if instruction is None else instruction, new)
        return Prompt(
            self.id, self.input, self.output, language or self.language, self.split, words
        )

    def to_string(self, data: In | None = None) -> str:
        """The whole prompt as the judge reads it; without data, what is the same every time."""
        from ragstone.prompt.render import fixed_part, render

        if data is None:
            return fixed_part(self)
        rendered = render(self, data)
        return f"{rendered.system}\n\n{rendered.user}"

    def dump(self, data: In) -> dict[str, Any]:
        """The input as plain data, for traces and keys."""
        return data.model_dump(mode="json", exclude_none=True)

    def save(self, file_path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the prompt as JSON, compressed when the name ends in .gz; the path is returned.

        Raises FileExistsError unless `overwrite`.
        """
        from ragstone.prompt.saved import to_data

        path = json_path(file_path, self.id.replace("/", "_"))
        write_json(path, to_data(self), overwrite=overwrite)
        return path

    @classmethod
    def load(
        cls, file_path: str | os.PathLike[str], *, base: Prompt[Any, Any] | None = None
    ) -> Prompt[Any, Any]:
        """Read a prompt that was saved.

        The types of input and output are those of `base`; by default of the prompt of that id in
        the library, or of the class when it is one of the user's own. Raises UsageError.
        """
        from ragstone.prompt.saved import from_data

        if base is None and cls is not Prompt:
            base = cls()  # type: ignore[call-arg]
        return from_data(read_json(file_path), base, repr(str(file_path)))

    async def adapt(
        self, target_language: str, llm: Translator, adapt_instruction: bool = False
    ) -> Prompt[In, Out]:
        """The prompt with its examples in another language, translated by a judge.

        Labels and ids stay as they are. The instruction stays English unless `adapt_instruction`.
        Raises BadReply when a translation is missing, or is still in the old language.
        """
        from ragstone.prompt.adapting import adapt

        return await adapt(self, target_language, llm, adapt_instruction)


def to_example(pair: Any, given: type[BaseModel], wanted: type[BaseModel]) -> Example:
    """A pair of an input and an output as plain data; raises UsageError when they do not fit."""
    try:
        data, reply = pair
    except (TypeError, ValueError):
        raise UsageError(f"an example is a pair of input and output, not {pair!r}") from None
    for value, kind in ((data, given), (reply, wanted)):
        if not isinstance(value, kind):
            raise UsageError(f"an example needs a {kind.__name__} here, not {value!r}")
    return Example(data.model_dump(mode="json"), reply.model_dump(mode="json"))

"""A prompt as JSON data, and back."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ragstone.errors import UsageError
from ragstone.prompt.library import library
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import Example, Words

__all__ = ["FORMAT", "from_data", "to_data"]

FORMAT = "1.0"


def to_data(prompt: Prompt[Any, Any]) -> dict[str, Any]:
    """All that a judge is told besides the data; the types are named by the prompt's id."""
    return {
        "format_version": FORMAT,
        **prompt.describe(),
        "instruction": prompt.instruction,
        "examples": [{"input": e.input, "output": e.output} for e in prompt.words.examples],
    }


def from_data(
    data: Mapping[str, Any], base: Prompt[Any, Any] | None, source: str
) -> Prompt[Any, Any]:
    """The prompt that was saved, with the types of `base`, or of the library's prompt of its id.

    Raises UsageError naming the `source`. Warns when the types have changed since it was saved.
    """
    try:
        told = Words(str(data["version"]), str(data["instruction"]), _examples(data["examples"]))
        id, language, version = str(data["id"]), str(data["language"]), str(data["format_version"])
    except (KeyError, TypeError) as error:
        raise UsageError(f"{source} holds no prompt: {error} is missing or wrong") from error
    if version != FORMAT:
        raise UsageError(f"{source} has the format {version!r}; this version reads {FORMAT!r}")
    base = base or library().get(id)
    if base is None:
        raise UsageError(
            f"{source} holds {id!r}, which is no prompt of the library; load it with the class "
            "that wrote it: MyPrompt.load(path), or with Prompt.load(path, base=...)"
        )
    if base.id != id:
        raise UsageError(f"{source} holds the prompt {id!r}, not {base.id!r}")
    found = Prompt(base.id, base.input, base.output, language, base.split, told)
    try:
        hash(found.examples == [])
    except ValidationError as error:
        raise UsageError(f"{source}: an example does not fit {id!r}: {error}") from error
    if data.get("hash") not in (None, found.content_hash):
        warnings.warn(f"{source}: the output of {id!r} has changed since", stacklevel=4)
    return found


def _examples(listed: Any) -> tuple[Example, ...]:
    return tuple(Example(dict(each["input"]), dict(each["output"])) for each in listed)

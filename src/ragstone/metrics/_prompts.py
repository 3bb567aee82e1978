"""The prompts of a metric: looked at, replaced, kept in files, put in another language."""

from __future__ import annotations

import asyncio
import copy
import os
from collections.abc import Mapping
from dataclasses import Field, FrozenInstanceError
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ragstone.errors import UsageError
from ragstone.prompt.prompt import Prompt

if TYPE_CHECKING:
    from ragstone.tools.judge import Judge

__all__ = ["PromptOwner"]


class PromptOwner:
    """What every metric can do with its prompts.

    A prompt is an attribute. Another one of the same types may take its place in one instance, by
    `metric.prompt = mine`, `set_prompts` or the constructor; prompts themselves never change, so
    no other instance notices. An evaluation keeps the prompts that stood there when it began.
    """

    name: str
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Open the frozen class for its prompts, and for nothing else."""
        if vars(cls).get("__setattr__") is not _assign:
            cls.__setattr__ = _assign  # type: ignore[assignment, method-assign]
        return super().__new__(cls)

    @property
    def prompts(self) -> Mapping[str, Prompt[Any, Any]]:
        """The prompts of this metric by attribute name."""
        found = {name: vars(self).get(name) for name in self.__dataclass_fields__}
        return {name: value for name, value in found.items() if isinstance(value, Prompt)}

    def get_prompts(self) -> dict[str, Prompt[Any, Any]]:
        """The prompts of this metric by attribute name, in a dictionary of your own."""
        return dict(self.prompts)

    def set_prompts(self, **prompts: Prompt[Any, Any]) -> None:
        """Replace prompts of this metric by attribute name: all of them, or on an error none.

        Raises UsageError for a name that is no prompt, and for a prompt of other types.
        """
        for name, prompt in prompts.items():
            _fitting(self, name, prompt)
        for name, prompt in prompts.items():
            object.__setattr__(self, name, prompt)

    async def adapt_prompts(
        self, language: str, llm: Judge, adapt_instruction: bool = False
    ) -> dict[str, Prompt[Any, Any]]:
        """The prompts with their examples translated; the metric keeps those that it has."""
        own = {name: p for name, p in self.prompts.items() if name in self.__dataclass_fields__}
        if not own:
            raise UsageError(f"{self.name!r} has no prompt with examples to translate")
        found = await asyncio.gather(
            *(prompt.adapt(language, llm, adapt_instruction) for prompt in own.values())
        )
        return dict(zip(own, found, strict=True))

    async def adapt(
        self, target_language: str, llm: Judge, adapt_instruction: bool = False
    ) -> Self:
        """A copy of the metric with all its prompts translated; raises as `Prompt.adapt`."""
        adapted = copy.copy(self)
        adapted.set_prompts(**await self.adapt_prompts(target_language, llm, adapt_instruction))
        return adapted

    def save_prompts(self, path: str | os.PathLike[str]) -> None:
        """Write each prompt to a folder that exists, as NAME_PROMPT_LANGUAGE.json.

        Raises UsageError when there is no such folder, FileExistsError for a file that is there.
        """
        for name, prompt in self.prompts.items():
            prompt.save(self._file(path, name, prompt.language))

    def load_prompts(self, path: str | os.PathLike[str], language: str = "en") -> None:
        """Take the prompts of that language from a folder that `save_prompts` filled."""
        own = {name: p for name, p in self.prompts.items() if name in self.__dataclass_fields__}
        found = {
            name: Prompt.load(self._file(path, name, language), base=prompt)
            for name, prompt in own.items()
        }
        self.set_prompts(**found)

    def _file(self, folder: str | os.PathLike[str], prompt: str, language: str) -> Path:
        if not Path(folder).is_dir():
            raise UsageError(f"there is no folder {str(folder)!r} for prompts")
        return Path(folder) / f"{self.name}_{prompt}_{language}.json"

    def check_prompts(self) -> None:
        """Raise UsageError unless each prompt has the types of the one that it replaces."""
        for name, field in self.__dataclass_fields__.items():
            if isinstance(field.default, Prompt):
                _fitting(self, name, getattr(self, name))


def _assign(metric: PromptOwner, name: str, value: Any) -> None:
    field = metric.__dataclass_fields__.get(name)
    if field is None or not isinstance(field.default, Prompt):
        raise FrozenInstanceError(f"cannot assign to field {name!r}: only prompts can be replaced")
    metric.set_prompts(**{name: value})


def _fitting(metric: PromptOwner, name: str, prompt: Any) -> None:
    field = metric.__dataclass_fields__.get(name)
    usual = None if field is None else field.default
    if not isinstance(usual, Prompt):
        names = [n for n, f in metric.__dataclass_fields__.items() if isinstance(f.default, Prompt)]
        raise UsageError(
            f"{metric.name!r} has no prompt {name!r} to replace; it has: "
            f"{', '.join(names) or 'none'}"
        )
    if not isinstance(prompt, Prompt):
        raise UsageError(
            f"{name!r} of {metric.name!r} takes a prompt, not {prompt!r}; for other words write "
            f"metric.{name} = metric.{name}.with_words(instruction=...)"
        )
    for part in ("input", "output"):
        given, wanted = getattr(prompt, part), getattr(usual, part)
        if not issubclass(given, wanted):
            raise UsageError(
                f"{name!r} of {metric.name!r} takes a prompt whose {part} is "
                f"{wanted.__name__}, not {given.__name__}"
            )

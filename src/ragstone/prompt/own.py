"""A prompt written as a class, with its parts as class attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar, get_args

from pydantic import BaseModel

from ragstone.errors import UsageError
from ragstone.prompt.prompt import Prompt, to_example
from ragstone.prompt.words import Words

__all__ = ["BasePrompt", "PydanticPrompt"]

In = TypeVar("In", bound=BaseModel)
Out = TypeVar("Out", bound=BaseModel)


class BasePrompt(Prompt[In, Out]):
    """A prompt of the user's own: a subclass names its parts, an instance is the prompt.

        class Strict(BasePrompt):
            base = Faithfulness.nli_statement_prompt
            instruction = "Check each item ... Only what is stated word for word is supported."

    `base` is a prompt that gives every part that the class does not name; its id stays, so judges
    know what is asked. Without `base`, `input_model`, `output_model` (or the parameters of
    `BasePrompt[In, Out]`) and `instruction` are needed. `examples` are pairs of an input and an
    output; `language` says what they are written in; `name` is the id. Raises UsageError for a part
    that is missing or of another type.
    """

    base: ClassVar[Prompt[Any, Any] | None] = None
    input_model: ClassVar[type[BaseModel] | None] = None
    output_model: ClassVar[type[BaseModel] | None] = None

    def __init__(self) -> None:
        own = _own_parts(type(self))
        base: Prompt[Any, Any] | None = own.get("base")
        given, wanted = _models(type(self), own, base)
        instruction = own.get("instruction", base.instruction if base else None)
        if not isinstance(instruction, str) or not instruction.strip():
            raise UsageError(f"{type(self).__name__} needs an instruction, in words")
        examples = own.get("examples", base.examples if base else [])
        words = Words(
            base.version if base else "1",
            instruction.strip(),
            tuple(to_example(pair, given, wanted) for pair in _listed(examples, type(self))),
        )
        super().__init__(
            id=base.id if base else str(own.get("name") or f"own/{_snake(type(self).__name__)}"),
            input=given,  # type: ignore[arg-type]
            output=wanted,  # type: ignore[arg-type]
            language=str(own.get("language", base.language if base else "en")),
            split=base.split if base else None,
            own_words=words,
        )


PydanticPrompt = BasePrompt

_PARTS = ("base", "instruction", "examples", "language", "name", "input_model", "output_model")


def _own_parts(cls: type) -> dict[str, Any]:
    """The parts that the class or those between it and BasePrompt name; the nearest wins."""
    between = cls.__mro__[: cls.__mro__.index(BasePrompt)]
    return {p: vars(c)[p] for c in reversed(between) for p in _PARTS if p in vars(c)}


def _models(
    cls: type, own: dict[str, Any], base: Prompt[Any, Any] | None
) -> tuple[type[BaseModel], type[BaseModel]]:
    given, wanted = _parameters(cls)
    found = (
        own.get("input_model") or (base.input if base else given),
        own.get("output_model") or (base.output if base else wanted),
    )
    for name, model in zip(("input_model", "output_model"), found, strict=True):
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            raise UsageError(f"{cls.__name__} needs {name}: a pydantic model, not {model!r}")
    return found


def _parameters(cls: type) -> tuple[Any, Any]:
    """In and Out of `BasePrompt[In, Out]` among the bases; (None, None) when they are not given."""
    for each in cls.__mro__:
        for kind in vars(each).get("__orig_bases__", ()):
            if len(get_args(kind)) == 2 and not isinstance(get_args(kind)[0], TypeVar):
                return get_args(kind)
    return None, None


def _listed(examples: Any, cls: type) -> Sequence[Any]:
    if not isinstance(examples, (list, tuple)):
        raise UsageError(f"examples of {cls.__name__} is a list of pairs, not {examples!r}")
    return examples


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

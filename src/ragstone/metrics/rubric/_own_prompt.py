"""What metrics with a prompt of the user's own share: the placeholders and the typed question."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pydantic import BaseModel

from ragstone.errors import Unscored, UsageError
from ragstone.metrics._template import placeholders, point_at_blocks
from ragstone.metrics._texts import empty
from ragstone.metrics.base import Metric
from ragstone.metrics.signature import TOOLS, Needs
from ragstone.prompt.criteria import FieldsIn
from ragstone.prompt.prompt import Prompt
from ragstone.prompt.words import Words

__all__ = ["OwnPrompt", "refuse_blanks"]


@dataclass(frozen=True, kw_only=True)
class OwnPrompt(Metric):
    """A metric whose `prompt` is worded by the user; its {placeholders} are the inputs."""

    prompt: str = ""

    low: ClassVar[float | None] = None
    high: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if taken := TOOLS & set(self.needs.required):
            raise UsageError(
                f"the placeholder {{{min(taken)}}} of {self.name!r} needs another name"
            )
        if not self.needs.required:
            raise UsageError(
                f"the prompt of {self.name!r} has no {{placeholder}}: nothing to judge"
            )

    @property
    @abstractmethod
    def reply(self) -> type[BaseModel]:
        """What must come back: a reason, and a value of a closed kind."""

    @property
    @abstractmethod
    def told(self) -> str:
        """What the judge is told about the value that it may answer with."""

    @cached_property
    def needs(self) -> Needs:
        """The placeholders of the prompt, all required."""
        return Needs(required=placeholders(self.prompt), optional=(), tools=("judge",))

    @cached_property
    def question(self) -> Prompt[FieldsIn, Any]:
        """The typed prompt that is asked."""
        words = Words("1", f"{point_at_blocks(self.prompt)}\n\n{self.told}")
        return Prompt(f"own/{self.name}", FieldsIn, self.reply, own_words=words)

    @property
    def prompts(self) -> dict[str, Prompt[Any, Any]]:
        """The prompt that is asked."""
        return {"question": self.question}


def refuse_blanks(fields: Mapping[str, Any]) -> None:
    """Raise Unscored when no input holds anything."""
    if all(empty(value) for value in fields.values()):
        raise Unscored("not_applicable", "all inputs are blank")

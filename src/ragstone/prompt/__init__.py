"""Prompts are data: an id, words by language, typed input and output.

from ragstone.prompt import BasePrompt, Prompt
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.prompt.own import BasePrompt as BasePrompt
    from ragstone.prompt.own import PydanticPrompt as PydanticPrompt
    from ragstone.prompt.prompt import Prompt as Prompt

_HOMES = {
    "BasePrompt": "ragstone.prompt.own",
    "Prompt": "ragstone.prompt.prompt",
    "PydanticPrompt": "ragstone.prompt.own",
}

__all__ = [*sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragstone.prompt' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

"""The prompts that come with Ragstone, by id."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ragstone.prompt.prompt import Prompt

__all__ = ["library"]


@lru_cache(maxsize=1)
def library() -> Mapping[str, Prompt[Any, Any]]:
    """All prompts that stand in the modules of this room."""
    import ragstone.prompt as room

    modules = [importlib.import_module(f"{room.__name__}.{m.name}") for m in _modules(room)]
    values = [value for module in modules for value in vars(module).values()]
    return {value.id: value for value in values if isinstance(value, Prompt)}


def _modules(room: Any) -> list[pkgutil.ModuleInfo]:
    return list(pkgutil.iter_modules(room.__path__))

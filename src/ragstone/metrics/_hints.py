"""The type hints of a function, by which what it is given is checked."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, get_type_hints

from pydantic import PydanticUserError, TypeAdapter, ValidationError

__all__ = ["Hints"]


class Hints:
    """What the parameters of a function may be, as far as its hints can be checked."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._adapters: dict[str, TypeAdapter[Any]] = {}
        try:
            hints = get_type_hints(function, include_extras=True)
        except (NameError, TypeError):  # a name that only type checkers see
            return
        for name, hint in hints.items():
            try:
                self._adapters[name] = TypeAdapter(hint)
            except PydanticUserError:  # a class that says nothing of its values
                continue

    def fit(self, name: str, value: Any) -> bool:
        """Whether the hint of a parameter says that it may have this value."""
        try:
            self._adapters[name].validate_python(value)
        except (KeyError, ValidationError):
            return False
        return True

    def take(self, owner: str, name: str, value: Any) -> Any:
        """The value in the type of the hint; as it is, with a warning, when it does not fit."""
        if name not in self._adapters:
            return value
        try:
            return self._adapters[name].validate_python(value)
        except ValidationError as error:
            why = "; ".join(detail["msg"] for detail in error.errors())
            warnings.warn(f"{owner!r}: {name}={value!r} does not fit ({why})", stacklevel=2)
            return value

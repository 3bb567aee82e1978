"""Options that a metric passes on to the library that counts for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ragstone.errors import UsageError

__all__ = ["checked"]

Options = TypeVar("Options")


def checked(name: str, kind: type[Options], given: Mapping[str, Any] | None) -> Options | None:
    """The options if they are of that kind, None when there are none; raises UsageError."""
    if not given:
        return None
    try:
        return TypeAdapter(kind).validate_python(dict(given))
    except ValidationError as error:
        why = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise UsageError(f"{name!r}: kwargs cannot be {given!r} ({why})") from None

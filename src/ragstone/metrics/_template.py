"""A user's own prompt text with {placeholders}, which are the inputs of the metric."""

from __future__ import annotations

import string

from ragstone.errors import UsageError

__all__ = ["placeholders", "point_at_blocks"]


def placeholders(template: str) -> tuple[str, ...]:
    """The names in braces, each once, in order; `{{` and `}}` are plain braces.

    Raises UsageError for unbalanced braces and for placeholders that are no plain names.
    """
    names: dict[str, None] = {}
    for name in _parsed(template):
        names[name] = None
    return tuple(names)


def point_at_blocks(template: str) -> str:
    """The text with each placeholder replaced by the name of the block that holds its data.

    The data themselves never become part of the instruction: they stand fenced below it.
    """
    parts: list[str] = []
    for text, name, _, _ in string.Formatter().parse(template):
        parts.append(text)
        if name is not None:
            parts.append(f"[{name}]")
    return "".join(parts)


def _parsed(template: str) -> list[str]:
    try:
        found = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        raise UsageError(f"the prompt cannot be read ({error}); write {{{{ for a brace") from None
    for name in found:
        if not name.isidentifier():
            raise UsageError(
                f"the placeholder {{{name}}} is no plain name; write {{{{ and }}}} for braces"
            )
    return found

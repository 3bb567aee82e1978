"""Foreign text made safe for a place that cannot hold every character."""

from __future__ import annotations

import re

__all__ = ["broken_name", "excerpt", "one_line", "sound", "visible"]

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]"
)
_NAME_PART = re.compile(r"\(?[^_(, ]*[_, ]?")


def sound(text: str) -> str:
    """The text as valid Unicode: pairs of surrogates joined, single ones replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def visible(text: str) -> str:
    """The text with U+FFFD for control characters, line separators and changes of direction.

    Ends of line become plain line feeds.
    """
    if text.isascii() and text.isprintable():
        return text
    return _ODD.sub("\ufffd", sound(text).replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """The text on one line, safe to print."""
    return " ".join(visible(text).split())


def broken_name(name: str, width: int) -> str:
    """The name of a metric in lines of at most `width`, broken between its words where possible."""
    lines = [""]
    for part in _NAME_PART.findall(one_line(name)):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def excerpt(text: str, length: int) -> str:
    """The beginning on one line, with an ellipsis when something is left out.

    It ends behind a whole word where one ends in its second half.
    """
    line = one_line(text[: 4 * length])
    if len(line) <= length and len(text) <= 4 * length:
        return line
    end = line.rfind(" ", length // 2, length + 1)
    return f"{line[: length if end < 0 else end].rstrip()}…"

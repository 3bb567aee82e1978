"""Output streams that cannot hold every character, such as a Windows console's cp1252."""

from __future__ import annotations

import codecs
import io
import sys

__all__ = ["accept_all_text"]

_HANDLER = "ragstone.plainer"
_PLAINER = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "○": "o",
        "•": "*",
        "·": ".",
        "▲": "^",
        "▼": "v",
        "↓": "v",
        "−": "-",
        "–": "-",
        "×": "x",
        "±": "+/-",
        "…": "...",
        "“": '"',
        "”": '"',
        "⟨": "<",
        "⟩": ">",
        "━": "-",
    }
)


def accept_all_text() -> None:
    """Let stdout and stderr write a plainer sign, or "?", for what their encoding lacks."""
    codecs.register_error(_HANDLER, _plainer)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(_PLAINER)
    return lacking.encode("ascii", "replace").decode("ascii"), error.end

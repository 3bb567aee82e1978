"""Messages of the library, which speaks Python, in the words of the command line."""

from __future__ import annotations

import re

__all__ = ["spoken"]

_PAIR = r"\{'([^']*)': '([^']*)'\}"
_WORDS = (
    (rf"column_map={_PAIR}", r"--column \1=\2"),
    (rf"write it the other way round, {_PAIR}", r"write it the other way round, --column \1=\2"),
    (r"\bcolumn_map\b", "--column"),
    (r"pass metrics=\[.*?\]", "name some with -m"),
    (r"give one another name=", "give one another name, as in -m METRIC:name=OTHER"),
    (r"(\w+) needs a name: \1\(name='\.\.\.'\)", r"\1 needs a name"),
    (r",? or pass api_key=\.\.\.", ""),
    (r",? or raise timeout=\.\.\.", ""),
    (r"check base_url \(('[^']*')\)", r"check its address, \1"),
    (r"\bbase_url\b", "the address of the server"),
)


def spoken(message: str) -> str:
    """The message with options of the command line in the place of parameters."""
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return message

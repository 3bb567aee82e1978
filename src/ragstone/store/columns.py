"""Column types: text that any database takes, and times that come back as they went in."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

from ragstone.errors import UsageError

__all__ = ["PlainText", "UtcTime", "escape", "unescape"]

# PostgreSQL refuses NUL, and no database takes a lone surrogate. Both are written behind a
# character that text hardly ever holds, so that ordinary text is stored as it is.
_MARK = "\x1a"
_ODD = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")


def escape(text: str) -> str:
    """Text without NUL characters and lone surrogates; `unescape` gives back the original."""
    if not _ODD.search(text):
        return text
    return _ODD.sub(lambda odd: f"{_MARK}{ord(odd[0]):04x}", text)


def unescape(text: str) -> str:
    """The text that `escape` was given."""
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text)


class PlainText(TypeDecorator[str]):
    """Any Python string, NUL characters and lone surrogates included."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """What the database gets."""
        return None if value is None else escape(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        """What Python gets back."""
        return None if value is None else unescape(value)


class UtcTime(TypeDecorator[datetime]):
    """A moment: an aware time goes in, the same moment in UTC comes out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC. Raises UsageError for a time without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise UsageError(f"the time {value!r} has no time zone; use datetime.now(UTC)")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """The moment in UTC; SQLite keeps no zone, so what it returns is in UTC already."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)

"""SQL as a tree, read by sqlglot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragstone.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["check_dialect", "parse_query", "parse_statements"]


def parse_statements(text: str, dialect: str) -> list[exp.Expr]:
    """The statements of a text; none when it cannot be read in that dialect."""
    try:
        import sqlglot
        from sqlglot.errors import SqlglotError
    except ImportError:
        raise MissingExtra("reading SQL", "sql") from None
    try:
        found = sqlglot.parse(text, dialect=dialect or None)
    except (SqlglotError, RecursionError):
        return []
    return [each for each in found if each is not None]


def parse_query(text: str, dialect: str) -> exp.Query | None:
    """The one query that a text is; None when it is something else, or several statements."""
    statements = parse_statements(text, dialect)
    from sqlglot import exp

    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        return None
    query = statements[0]
    return query if query.selects else None


def check_dialect(name: str, dialect: str) -> None:
    """Raise UsageError when sqlglot knows no such dialect; the empty one is general SQL."""
    if not dialect:
        return
    try:
        from sqlglot.dialects.dialect import Dialect
    except ImportError:
        raise MissingExtra("reading SQL", "sql") from None
    try:
        Dialect.get_or_raise(dialect)
    except ValueError as error:
        raise UsageError(f"{name!r}: {error}") from None

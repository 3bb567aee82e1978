"""One query on a database that is only read, with limits on time and rows.

What is run was written by others, so it is not trusted: SQLite opens the file read-only and its
authorizer lets nothing but reading through; PostgreSQL runs one statement through a cursor in a
read-only transaction. What the functions of a server may do is up to the role that is used: let it
be one that can only read.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import NullPool, create_engine
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from ragstone.errors import MissingExtra, UsageError

__all__ = ["Limits", "QueryFailed", "Rows", "checked_url", "run_query"]

_LONGEST = 16_000_000  # bytes of one value in SQLite
_STEPS = 10_000  # of SQLite's machine between two looks at the clock
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}


class QueryFailed(Exception):
    """The database refused or broke off a query; the message says why."""


@dataclass(frozen=True)
class Limits:
    """At most so many seconds for a query, and so many rows of its result."""

    seconds: float
    rows: int


@dataclass(frozen=True)
class Rows:
    """The result of a query, or the start of it when it has `more` rows than the limit."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    more: bool


def checked_url(text: str) -> URL:
    """The URL of a database that can be read; raises UsageError."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        url = URL.create("")
    kind = url.drivername.partition("+")[0]
    if kind not in ("sqlite", "postgresql", "postgres") or (kind == "sqlite" and _in_memory(url)):
        raise UsageError(
            "database_url must be sqlite:///PATH or postgresql://USER@HOST/DATABASE, "
            f"not one of the kind {text.partition(':')[0]!r}"
        )
    if url.password or {"password", "passfile", "sslpassword"} & set(url.query):
        raise UsageError(
            "database_url must hold no password, since it is kept with the run: set PGPASSWORD, or "
            "use a password file"
        )
    return url if kind == "sqlite" else url.set(drivername="postgresql+psycopg")


def run_query(url: URL, query: str, limits: Limits) -> Rows:
    """The result of a query, read-only and within limits.

    Raises QueryFailed when the database refuses it or the time is over, UsageError when the
    database cannot be reached, MissingExtra for an absent driver.
    """
    engine = _sqlite(url) if url.drivername.startswith("sqlite") else _postgres(url)
    try:
        connection = engine.connect().execution_options(no_parameters=True)
    except (DBAPIError, sqlite3.Error) as error:
        why = getattr(error, "orig", error)
        raise UsageError(f"the database {url.database!r} cannot be opened: {why}") from None
    try:
        with connection:
            fetch = _from_sqlite if engine.name == "sqlite" else _from_postgres
            return fetch(connection, query, limits)
    except DBAPIError as error:
        raise QueryFailed(" ".join(str(error.orig).split())) from None
    except (ValueError, OverflowError) as error:  # a value that the driver cannot take or give
        raise QueryFailed(str(error)) from None
    finally:
        engine.dispose()


def _in_memory(url: URL) -> bool:
    return url.database in (None, "", ":memory:") or bool(url.query)


def _sqlite(url: URL) -> Engine:
    path = Path(str(url.database)).absolute()

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        return connection

    return create_engine("sqlite://", creator=connect, poolclass=NullPool)


def _postgres(url: URL) -> Engine:
    try:  # prepared statements hold one command each: nothing can follow a query
        options = {"prepare_threshold": 0, "connect_timeout": 10}
        return create_engine(url, poolclass=NullPool, connect_args=options)
    except ModuleNotFoundError:
        raise MissingExtra("PostgreSQL", "postgres") from None


def _from_sqlite(connection: Connection, query: str, limits: Limits) -> Rows:
    raw: Any = connection.connection.dbapi_connection
    end = time.monotonic() + limits.seconds
    raw.set_authorizer(_only_reading)
    raw.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    result = connection.exec_driver_sql(query)
    if not result.returns_rows:
        raise QueryFailed("it is no query")
    return _rows(list(result.keys()), result.fetchmany(limits.rows + 1), limits)


def _only_reading(action: int, first: str | None, second: str | None, *where: str | None) -> int:
    allowed = action in _READING and (second or "").lower() != "load_extension"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _from_postgres(connection: Connection, query: str, limits: Limits) -> Rows:
    connection.exec_driver_sql("SET TRANSACTION READ ONLY")
    milliseconds = max(1, math.ceil(limits.seconds * 1000))
    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {milliseconds}")
    connection.exec_driver_sql(f"DECLARE answer NO SCROLL CURSOR FOR {query}")
    result = connection.exec_driver_sql(f"FETCH {limits.rows + 1} FROM answer")
    return _rows(list(result.keys()), result.fetchall(), limits)


def _rows(columns: Sequence[str], found: Sequence[Any], limits: Limits) -> Rows:
    kept = [tuple(row) for row in found[: limits.rows]]
    return Rows(columns, kept, len(found) > limits.rows)

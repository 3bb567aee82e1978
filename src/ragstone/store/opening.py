"""Opening a store: from a URL to a database with the tables of this version."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from ragstone.errors import MissingExtra, StoreError, UsageError
from ragstone.store.faults import CHECK_RIGHTS, store_errors
from ragstone.store.revision import upgrade
from ragstone.store.store import Store

__all__ = ["open_store"]

# How long one process waits for another that is writing, in seconds.
BUSY_SECONDS = 30.0
_CONNECT_SECONDS = 10
_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def open_store(url: str, *, create: bool = True) -> Store:
    """Open the store of runs at `url` and bring its tables to this version.

    `url` is "sqlite:///PATH" (a file; everything behind the slashes is its path) or
    "postgresql://USER:PASSWORD@HOST/DATABASE". With `create`, a missing file and its folder are
    made, readable by their owner alone, and an empty database gets the tables; without it, either
    is a StoreError. Several processes may open a fresh store at once.

    Raises UsageError for another kind of URL, MissingExtra without the PostgreSQL driver, and
    StoreError when the database cannot be read, written or reached, or when a newer version of
    Ragstone wrote it.
    """
    if url.startswith(_SQLITE):
        path = Path(url.removeprefix(_SQLITE)).expanduser()
        where = repr(str(path))
        _prepare_file(path, create)
        engine = _sqlite_engine(path)
    else:
        server = _server_url(url)
        where = repr(server.set(query={}).render_as_string(hide_password=True))
        engine = _postgres_engine(server)
    try:
        with store_errors(where):
            upgrade(engine, where, create=create)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, where)


def _prepare_file(path: Path, create: bool) -> None:
    if path.name in ("", ":memory:"):
        raise UsageError("a store needs a file: sqlite:///PATH")
    try:
        if path.exists():
            return
        if not create:
            raise StoreError(f"there is no store at {str(path)!r}")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreError(
            f"the store {str(path)!r} cannot be opened: {error.strerror}: "
            f"{error.filename!r}; {CHECK_RIGHTS}"
        ) from error


def _server_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.drivername not in _POSTGRES:
        kind = url.split(":", 1)[0]  # what follows may hold a password
        raise UsageError(
            f"no store can be opened at {kind!r}; use sqlite:///PATH or "
            "postgresql://USER:PASSWORD@HOST/DATABASE"
        )
    return parsed.set(drivername="postgresql+psycopg")


def _postgres_engine(url: URL) -> Engine:
    wait = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_SECONDS}
    try:
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=wait)
    except ModuleNotFoundError as error:
        raise MissingExtra("PostgreSQL", "postgres") from error


def _sqlite_engine(path: Path) -> Engine:
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _configure(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin in _begin, not where the driver thinks
    _write_ahead(connection)
    # with a write-ahead log, NORMAL loses nothing when a process is killed
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the log on. SQLite does not wait here for another process that does the same."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _begin(connection: Connection) -> None:
    """Take the write lock at once: a reader that turns writer could not wait for it."""
    write = connection.get_execution_options().get("ragstone_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

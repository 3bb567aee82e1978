"""What goes wrong in a database, said in one clear sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

from ragstone.errors import RagstoneError, StoreError

__all__ = ["CHECK_RIGHTS", "store_errors"]

_ELSEWHERE = "or set RAGSTONE_DATABASE_URL to another place"
CHECK_RIGHTS = f"check the rights on the file and its folder, {_ELSEWHERE}"
_SQLITE = {
    "SQLITE_BUSY": "is locked by another process; wait until it has finished, then try again",
    "SQLITE_LOCKED": "is locked by another process; wait until it has finished, then try again",
    "SQLITE_FULL": f"cannot be written: the disk is full; make room, {_ELSEWHERE}",
    "SQLITE_READONLY": f"cannot be written; {CHECK_RIGHTS}",
    "SQLITE_PERM": f"cannot be opened; {CHECK_RIGHTS}",
    "SQLITE_CANTOPEN": f"cannot be opened; {CHECK_RIGHTS}",
    "SQLITE_NOTADB": f"is not a SQLite database; move the file away, {_ELSEWHERE}",
    "SQLITE_CORRUPT": f"is damaged; restore the file from a copy, {_ELSEWHERE}",
    "SQLITE_IOERR": f"cannot be read or written; check the disk, {_ELSEWHERE}",
}
_POSTGRES = {
    "55P03": "is locked by another process; wait until it has finished, then try again",
    "53100": "cannot be written: the disk of the server is full",
}


@contextmanager
def store_errors(where: str) -> Iterator[None]:
    """Turn the errors of the database into StoreError.

    `where` names the store in the message; it must not hold the password.
    """
    try:
        yield
    except DBAPIError as error:
        raise StoreError(f"the store {where} {_explain(error)}") from error
    except SQLAlchemyError as error:
        if isinstance(error, StatementError) and isinstance(error.orig, RagstoneError):
            raise error.orig from None  # raised by a column type, about the value
        raise StoreError(f"the store {where} cannot be used: {error}") from error


def _explain(error: DBAPIError) -> str:
    cause = error.orig
    said = "; ".join(filter(None, map(str.strip, str(cause).splitlines())))
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", "")  # the driver's own errors carry none
        # an extended name such as SQLITE_READONLY_DIRECTORY adds a word to the primary one
        known = _SQLITE.get("_".join(name.split("_")[:2]))
        return f"{known} ({said})" if known else f"failed: {said}"
    state = getattr(cause, "sqlstate", None)
    if state is None:  # the server never answered
        return f"cannot be reached: {said}"
    return f"{_POSTGRES[state]} ({said})" if state in _POSTGRES else f"failed: {said}"

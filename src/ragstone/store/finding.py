"""Finding the run that somebody means: by id, by name, by the start of the id, or the newest."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from ragstone.errors import UsageError
from ragstone.store.columns import escape
from ragstone.store.tables import run

__all__ = ["NEWEST_FIRST", "find_run"]

NEWEST_FIRST = (run.c.number.desc(),)  # as they were added: a clock may be set back
_NEWEST = ("latest", "last")
_SHOWN = 5
_SEARCHED = 1000  # newest runs among which a mistyped name is looked for


def find_run(connection: Connection, ref: str) -> Row[Any]:
    """The row of the run that `ref` means: a whole id, "latest" or "last", a name, an id's start.

    Raises UsageError when no run is meant, or more than one, or when `ref` is no string.
    """
    if not isinstance(ref, str):
        raise UsageError(f"a run is named by a string, not {ref!r}")
    runs = select(run).order_by(*NEWEST_FIRST)
    exact = connection.execute(runs.where(run.c.id == ref)).first()
    if exact is None and ref in _NEWEST:
        exact = connection.execute(runs.limit(1)).first()
    if exact is not None:
        return exact
    start = escape(ref)
    for matches in (run.c.name == ref, func.substr(run.c.id, 1, len(start)) == start):
        found = connection.execute(runs.where(matches).limit(_SHOWN + 1)).all()
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{ref!r} means several runs: {_listed(found)}; give the id")
    raise UsageError(f"there is no run {ref!r}; {_hint(connection, ref)}")


def _listed(found: Sequence[Row[Any]]) -> str:
    shown = ", ".join(
        f"{row.id} ({row.name}, {row.created:%Y-%m-%d %H:%M})" for row in found[:_SHOWN]
    )
    return f"{shown}, ..." if len(found) > _SHOWN else shown


def _hint(connection: Connection, ref: str) -> str:
    newest = select(run).order_by(*NEWEST_FIRST).limit(_SEARCHED)
    rows = connection.execute(newest).all()
    if not rows:
        return "the store holds no runs yet"
    words = [word for row in rows for word in (row.id, row.name)]
    close = set(difflib.get_close_matches(ref, words, n=_SHOWN, cutoff=0.5))
    near = [row for row in rows if row.id in close or row.name in close]
    return f"did you mean {_listed(near)}?" if near else f"the newest are {_listed(rows)}"

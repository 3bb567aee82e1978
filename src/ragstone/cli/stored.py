"""Runs from the store."""

from __future__ import annotations

from ragstone.cli.screen import note
from ragstone.errors import UsageError
from ragstone.report.facts import time_text
from ragstone.report.numbers import count_text
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import Run
from ragstone.settings import Settings
from ragstone.store.opening import open_store
from ragstone.store.store import Store

__all__ = ["find_run", "load_run", "note_twins", "open_runs"]


def open_runs(database: str | None) -> Store:
    """The store that is named, or the one of the settings."""
    return open_store(database or Settings.from_env().database_url)


def find_run(store: Store, ref: str) -> Run:
    """The run that `ref` means: id, start of an id, name, "latest".

    Of several runs with that name it is the newest, which a note says.
    """
    try:
        return store.run(ref)
    except UsageError:
        named = store.runs(name=ref)
        if len(named) < 2:
            raise
    newest = named[0]
    note(
        f"Note: {len(named):,} runs are named {ref!r}; "
        f"this is the newest, {newest.id} of {time_text(newest.created)}."
    )
    return newest


def load_run(store: Store, ref: str) -> RunData:
    """The run that `ref` means, with all that it produced."""
    run = find_run(store, ref)
    return RunData(run, list(store.samples(run.id)), list(store.cells(run.id)))


def note_twins(database: str | None, name: str) -> None:
    """Say so when older runs have the name of the newest one."""
    with open_runs(database) as store:
        older = len(store.runs(name=name)) - 1
    if older > 0:
        runs = f"{count_text(older, 'older run')} {'has' if older == 1 else 'have'}"
        note(f"Note: {runs} the name {name!r} too; it means the newest, the others have their ids.")

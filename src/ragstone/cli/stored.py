"""Runs from the store."""

from __future__ import annotations

from ragstone.schema.rundata import RunData
from ragstone.settings import Settings
from ragstone.store.opening import open_store
from ragstone.store.store import Store

__all__ = ["load_run", "open_runs"]


def open_runs(database: str | None) -> Store:
    """The store that is named, or the one of the settings."""
    return open_store(database or Settings.from_env().database_url)


def load_run(store: Store, ref: str) -> RunData:
    """The run that `ref` means (id, start of an id, name, "latest"), with all that it produced."""
    run = store.run(ref)
    return RunData(run, list(store.samples(run.id)), list(store.cells(run.id)))

"""The store of runs: every run, sample and cell, in SQLite or PostgreSQL. The only room with SQL.

`open_store(url)` gives a `Store`; its methods are sync and safe to call from several threads.
"""

from __future__ import annotations

from ragstone.store.opening import open_store
from ragstone.store.store import Store

__all__ = ["Store", "open_store"]

"""Caches of judges' answers: on disk, shared by processes, or in memory.

A value is plain JSON data (dicts, lists, texts, numbers, booleans, None). Nothing that is read back
is ever executed or unpickled.
"""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic_core

from ragstone.errors import StoreError, UsageError
from ragstone.forks import renew_in_child

__all__ = ["CacheInterface", "CacheStats", "DiskCacheBackend", "MemoryCache"]


class CacheInterface(ABC):
    """What a cache must offer. It may be called from several threads at once."""

    @abstractmethod
    def get(self, key: str) -> Any:
        """The value stored under the key, or None."""

    @abstractmethod
    def set(self, key: str, value: Any) -> None:
        """Store a value of JSON data."""

    @abstractmethod
    def has_key(self, key: str) -> bool:
        """Whether there is a value under the key."""


@dataclass(frozen=True, slots=True)
class CacheStats:
    """How full a cache is, and how often this object found what it was asked for."""

    entries: int
    bytes: int
    hits: int
    misses: int
    path: str | None = None


class MemoryCache(CacheInterface):
    """A cache that lives as long as its process; the least recently used values go first."""

    def __init__(self, max_entries: int = 100_000) -> None:
        if max_entries < 1:
            raise UsageError(f"max_entries must be at least 1, not {max_entries!r}")
        self._max_entries = max_entries
        self._values: OrderedDict[str, bytes] = OrderedDict()
        self._hits = self._misses = 0
        self.begin_anew()
        renew_in_child(self)

    def begin_anew(self) -> None:
        """Wait for no thread of the parent process; the values stay."""
        self._lock = threading.Lock()

    def get(self, key: str) -> Any:
        """The value stored under the key, or None."""
        with self._lock:
            text = self._values.get(key)
            if text is None:
                self._misses += 1
                return None
            self._hits += 1
            self._values.move_to_end(key)
        return pydantic_core.from_json(text)

    def set(self, key: str, value: Any) -> None:
        """Store a value of JSON data (as text, so that nobody changes it afterwards)."""
        text = pydantic_core.to_json(value)
        with self._lock:
            self._values[key] = text
            self._values.move_to_end(key)
            if len(self._values) > self._max_entries:
                self._values.popitem(last=False)

    def has_key(self, key: str) -> bool:
        """Whether there is a value under the key."""
        return key in self._values

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)

    def stats(self) -> CacheStats:
        """How full it is, and how often it was of use."""
        with self._lock:
            size = sum(len(text) for text in self._values.values())
            return CacheStats(len(self._values), size, self._hits, self._misses)


_FILE = "ragstone-cache.db"
_VERSION = 1
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, value TEXT NOT NULL, "
    "used INTEGER NOT NULL)"
)
_INDEX = "CREATE INDEX IF NOT EXISTS answer_used ON answer (used)"
_FRESH_SECONDS = 3600  # a hit is written down only when the last one is older than this
_CHECK_EVERY = 256  # values stored between two looks at the size
_MAX_BYTES = 2 * 1024**3
_left_behind: list[sqlite3.Connection] = []  # SQLite files must not be closed after a fork


class DiskCacheBackend(CacheInterface):
    """A cache in one SQLite file in `cache_dir`, shared by threads and processes.

    `max_bytes` bounds the file's content; beyond it the least recently used values go. A damaged
    file is set aside and begun anew, and a full disk only stops the storing: both warn once.
    Raises UsageError when the folder cannot be used.
    """

    def __init__(
        self, cache_dir: str | os.PathLike[str] = ".cache", *, max_bytes: int = _MAX_BYTES
    ) -> None:
        if max_bytes < 1:
            raise UsageError(f"max_bytes must be at least 1, not {max_bytes!r}")
        self.path = Path(cache_dir) / _FILE
        self.max_bytes = max_bytes
        self._database: sqlite3.Connection | None = None
        self.begin_anew()
        renew_in_child(self)
        self._stored = self._hits = self._misses = 0
        self._storing = True
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection()
        except (OSError, sqlite3.OperationalError) as error:
            raise UsageError(
                f"cannot keep a cache in {str(cache_dir)!r}: {error}; choose another cache_dir"
            ) from error

    # ---- the documented interface ----

    def get(self, key: str) -> Any:
        """The value stored under the key, or None."""
        row = self._try("SELECT value, used FROM answer WHERE key = ?", (key,))
        if row is None:
            self._misses += 1
            return None
        self._hits += 1
        now = int(time.time())
        if now - row[1] > _FRESH_SECONDS:
            self._try("UPDATE answer SET used = ? WHERE key = ?", (now, key))
        try:
            return pydantic_core.from_json(row[0])
        except ValueError:  # not of our writing: asked for anew, and then overwritten
            return None

    def set(self, key: str, value: Any) -> None:
        """Store a value of JSON data. Raises TypeError for anything else."""
        try:
            text = pydantic_core.to_json(value).decode()
        except pydantic_core.PydanticSerializationError as error:
            raise TypeError(f"a cache keeps JSON data only: {error}") from error
        if not self._storing:
            return
        row = (key, text, int(time.time()))
        self._try("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", row)
        self._stored += 1
        if self._stored % _CHECK_EVERY == 0:
            self._make_room()

    def has_key(self, key: str) -> bool:
        """Whether there is a value under the key."""
        return self._try("SELECT 1 FROM answer WHERE key = ?", (key,)) is not None

    # ---- care ----

    def clear(self) -> None:
        """Forget everything and give the space back. Raises StoreError when that fails."""
        try:
            with self._lock:
                database = self._connection()
                database.execute("DELETE FROM answer")
                database.execute("VACUUM")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise StoreError(f"cannot clear the cache {str(self.path)!r}: {error}") from error

    def __len__(self) -> int:
        row = self._try("SELECT count(*) FROM answer")
        return int(row[0]) if row else 0

    def stats(self) -> CacheStats:
        """How full it is, and how often this object found what it was asked for."""
        return CacheStats(
            len(self), self._used_bytes(), self._hits, self._misses, path=str(self.path)
        )

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        with self._lock:
            if self._database is not None:
                self._database.close()
            self._database = None

    def __enter__(self) -> DiskCacheBackend:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self.close()

    def _used_bytes(self) -> int:
        sizes = [
            self._try(f"PRAGMA {what}") for what in ("page_count", "freelist_count", "page_size")
        ]
        pages, free, size = (int(row[0]) if row else 0 for row in sizes)
        return (pages - free) * size

    def _make_room(self) -> None:
        used = self._used_bytes()
        if used <= self.max_bytes:
            return
        too_many = max(1, math.ceil(len(self) * (1 - 0.9 * self.max_bytes / used)))
        oldest = "SELECT key FROM answer ORDER BY used, rowid LIMIT ?"
        self._try(f"DELETE FROM answer WHERE key IN ({oldest})", (too_many,))

    # ---- the file ----

    def begin_anew(self) -> None:
        """Wait for no thread of the parent process, and leave it its open file."""
        self._lock = threading.RLock()
        if self._database is not None:
            _left_behind.append(self._database)
            self._database = None

    def _try(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        """Run one statement and fetch its first row; a cache in trouble is an empty cache."""
        with self._lock:
            try:
                return self._connection().execute(statement, values).fetchone()
            except sqlite3.OperationalError as error:
                self._stop_storing(error)
            except sqlite3.DatabaseError as error:
                self._begin_anew(error)
        return None

    def _stop_storing(self, error: sqlite3.OperationalError) -> None:
        if "locked" in str(error) or not self._storing:  # another process is busy: just a miss
            return
        self._storing = False
        warnings.warn(
            f"the cache {str(self.path)!r} stores nothing more ({error}); answers are still given",
            RuntimeWarning,
            stacklevel=5,
        )

    def _begin_anew(self, error: sqlite3.DatabaseError) -> None:
        self.close()
        aside = self.path.with_suffix(f".damaged-{int(time.time())}")
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            self.path.replace(aside)
        for extra in ("-wal", "-shm"):
            Path(f"{self.path}{extra}").unlink(missing_ok=True)
        warnings.warn(
            f"the cache {str(self.path)!r} was damaged ({error}); it was set aside as "
            f"{aside.name!r} and begun anew",
            RuntimeWarning,
            stacklevel=5,
        )

    def _connection(self) -> sqlite3.Connection:
        """The open file; a process that was forked opens its own."""
        if self._database is None:
            self._database = self._open()
        return self._database

    def _open(self) -> sqlite3.Connection:
        try:
            return _opened(self.path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            self._begin_anew(error)
            return _opened(self.path)


@contextlib.contextmanager
def _closing_on_error(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield database
    except BaseException:
        database.close()
        raise


def _opened(path: Path) -> sqlite3.Connection:
    connected = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
    with _closing_on_error(connected) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise UsageError(
                f"the cache {str(path)!r} has the form {version}, this version of Ragstone writes "
                f"{_VERSION}; delete the file or choose another cache_dir"
            )
        database.execute(_TABLE)
        database.execute(_INDEX)
        database.execute(f"PRAGMA user_version = {_VERSION}")
    return database

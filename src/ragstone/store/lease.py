"""The lease of a run: one process at a time measures it, and a dead one holds nothing up."""

from __future__ import annotations

import os
import secrets
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select, update

from ragstone.errors import UsageError
from ragstone.store.tables import run

__all__ = ["STALE_SECONDS", "keep_lease", "new_owner", "release_lease", "take_lease"]

STALE_SECONDS = 30.0
"""A lease without a heartbeat for that long may be taken over."""

_SPACE = Path("/proc/self/ns/pid")  # two containers of one host name count their processes apart


def new_owner() -> str:
    """A name for who measures: "host:pid:token", another one at every call."""
    return f"{_host()}:{os.getpid()}:{secrets.token_hex(8)}"


def take_lease(connection: Connection, run_id: str, owner: str, ttl: float) -> bool:
    """Make `owner` the holder unless somebody else is alive; see `Store.take`."""
    held = connection.execute(
        select(run.c.owner, run.c.heartbeat).where(run.c.id == run_id).with_for_update()
    ).first()
    if held is None:
        raise UsageError(f"there is no run {run_id!r}")
    now = _now(connection)
    free = held.owner in (None, owner) or held.heartbeat is None
    # a heartbeat of the future was given before a clock was set back: it says nothing
    stale = free or abs(now - held.heartbeat) > timedelta(seconds=ttl)
    if not stale and not _is_gone(held.owner):
        return False
    values = {"owner": owner, "heartbeat": now}
    connection.execute(update(run).where(run.c.id == run_id).values(values))
    return True


def keep_lease(connection: Connection, run_id: str, owner: str) -> bool:
    """Say that `owner` is alive; see `Store.keep`."""
    change = update(run).where(run.c.id == run_id, run.c.owner == owner)
    return bool(connection.execute(change.values(heartbeat=_now(connection))).rowcount)


def release_lease(connection: Connection, run_id: str, owner: str) -> None:
    """Let go of a run; see `Store.release`."""
    change = update(run).where(run.c.id == run_id, run.c.owner == owner)
    connection.execute(change.values(owner=None, heartbeat=None))


def _now(connection: Connection) -> datetime:
    """The time of the server, for several machines may use it; of this machine for a file."""
    if connection.dialect.name == "postgresql":
        moment: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        return moment
    return datetime.now(UTC)


def _host() -> str:
    name = socket.gethostname().replace(":", "-")
    return f"{name}/{_SPACE.stat().st_ino}" if _SPACE.exists() else name


def _is_gone(owner: str) -> bool:
    """Whether the owner was a process of this machine that has ended."""
    host, _, rest = owner.partition(":")
    pid, _, _ = rest.partition(":")
    if os.name != "posix" or host != _host() or not pid.isdecimal() or int(pid) == 0:
        return False  # elsewhere signal 0 is no question but a signal
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False

"""The version of the tables: found, compared with ours, and raised by the migrations."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    func,
    inspect,
    select,
    text,
)

from ragstone.errors import StoreError

__all__ = ["HEAD", "VERSION_TABLE", "current_revision", "upgrade"]

HEAD = "0002"  # the newest migration; a look at it spares most openings the import of Alembic
VERSION_TABLE = "ragstone_schema"
_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x5261677374  # any number that only Ragstone locks

_version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32)))


def current_revision(connection: Connection) -> str | None:
    """The revision of the tables in a database, None for one without them."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(select(_version.c.version_num)).scalar_one_or_none()


def upgrade(engine: Engine, where: str, *, create: bool) -> None:
    """Bring the tables to HEAD, under a lock, in one transaction.

    Raises StoreError when a newer version of Ragstone wrote them, or when there are none and
    `create` is False.
    """
    with engine.connect() as connection:
        if current_revision(connection) == HEAD:
            return
    with engine.execution_options(ragstone_write=True).begin() as connection:
        _lock(connection)
        found = current_revision(connection)  # another process may have come first
        if found is None and not create:
            raise StoreError(f"the database {where} holds no store of runs")
        if found != HEAD:
            _migrate(connection, found, where)


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # SQLite took its lock when it began
        connection.execute(text("SET LOCAL lock_timeout = '30s'"))
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def _migrate(connection: Connection, found: str | None, where: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise StoreError(
            f"the store {where} was written by a newer version of Ragstone (schema {found!r}, "
            f"known here up to {HEAD!r}): pip install --upgrade ragstone"
        )
    command.upgrade(config, "head")

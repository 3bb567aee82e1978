"""The tables: run, its metrics and samples, and the cells.

What people filter, sort and add up are columns; the rest is JSON text. A cell names its run and its
metric by small numbers, which keeps a million of them compact and in the order of the dataset.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Insert,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql, sqlite

from ragstone.store.columns import PlainText, UtcTime

__all__ = ["cell", "metadata", "metric", "run", "sample", "upsert_cells"]

metadata = MetaData()

run = Table(
    "run",
    metadata,
    Column("number", Integer, autoincrement=True),
    Column("id", PlainText, nullable=False),
    Column("name", PlainText, nullable=False),
    Column("created", UtcTime, nullable=False),
    Column("state", PlainText, nullable=False),
    Column("stopped_by", PlainText),
    Column("finished", UtcTime),
    Column("seconds", Double),
    Column("n_rows", BigInteger, nullable=False),
    Column("data_hash", PlainText, nullable=False),
    Column("dataset", PlainText),
    Column("judge_kind", PlainText),
    Column("judge_name", PlainText),
    Column("git", PlainText),
    Column("group_by", PlainText),
    Column("detail", Text, nullable=False),
    Column("owner", PlainText),  # the process that measures it, see `lease`
    Column("heartbeat", UtcTime),
    PrimaryKeyConstraint("number", name="pk_run"),
    UniqueConstraint("id", name="uq_run_id"),
    sqlite_autoincrement=True,  # the number of a deleted run is never given to another
)

metric = Table(
    "metric",
    metadata,
    Column("run", Integer, ForeignKey("run.number", name="fk_metric_run", ondelete="CASCADE")),
    Column("position", Integer),
    Column("key", PlainText, nullable=False),
    Column("low", Double),
    Column("high", Double),
    Column("higher_is_better", Boolean, nullable=False),
    Column("detail", Text, nullable=False),
    PrimaryKeyConstraint("run", "position", name="pk_metric"),
)

sample = Table(
    "sample",
    metadata,
    Column("run", Integer, ForeignKey("run.number", name="fk_sample_run", ondelete="CASCADE")),
    Column("row", BigInteger),
    Column("detail", Text, nullable=False),
    PrimaryKeyConstraint("run", "row", name="pk_sample"),
)

cell = Table(
    "cell",
    metadata,
    Column("run", Integer),
    Column("row", BigInteger),
    Column("metric", Integer),
    Column("status", PlainText, nullable=False),
    Column("code", PlainText),
    Column("value_number", Double),
    Column("value_text", PlainText),
    Column("seconds", Double, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("cached_calls", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Double),
    Column("estimated", Boolean, nullable=False),
    Column("detail", Text),
    PrimaryKeyConstraint("run", "row", "metric", name="pk_cell"),
    ForeignKeyConstraint(
        ["run", "metric"],
        ["metric.run", "metric.position"],
        name="fk_cell_metric",
        ondelete="CASCADE",
    ),
)


def upsert_cells(dialect: str) -> Insert:
    """Insert cells; a cell that is there already gives way only if it failed."""
    new = postgresql.insert(cell) if dialect == "postgresql" else sqlite.insert(cell)
    return new.on_conflict_do_update(
        index_elements=cell.primary_key.columns,
        set_={
            column.name: new.excluded[column.name] for column in cell.c if not column.primary_key
        },
        where=cell.c.status == "failed",
    )

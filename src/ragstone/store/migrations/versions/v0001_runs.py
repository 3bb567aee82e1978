"""The first tables: run, metric, sample, cell."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    _run()
    _metric()
    _sample()
    _cell()


def _run() -> None:
    op.create_table(
        "run",
        sa.Column("number", sa.Integer(), autoincrement=True),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("stopped_by", sa.Text()),
        sa.Column("finished", sa.DateTime(timezone=True)),
        sa.Column("seconds", sa.Double()),
        sa.Column("n_rows", sa.BigInteger(), nullable=False),
        sa.Column("data_hash", sa.Text(), nullable=False),
        sa.Column("dataset", sa.Text()),
        sa.Column("judge_kind", sa.Text()),
        sa.Column("judge_name", sa.Text()),
        sa.Column("git", sa.Text()),
        sa.Column("group_by", sa.Text()),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_run"),
        sa.UniqueConstraint("id", name="uq_run_id"),
        sqlite_autoincrement=True,
    )


def _metric() -> None:
    op.create_table(
        "metric",
        sa.Column("run", sa.Integer()),
        sa.Column("position", sa.Integer()),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("low", sa.Double()),
        sa.Column("high", sa.Double()),
        sa.Column("higher_is_better", sa.Boolean(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run", "position", name="pk_metric"),
        sa.ForeignKeyConstraint(["run"], ["run.number"], name="fk_metric_run", ondelete="CASCADE"),
    )


def _sample() -> None:
    op.create_table(
        "sample",
        sa.Column("run", sa.Integer()),
        sa.Column("row", sa.BigInteger()),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run", "row", name="pk_sample"),
        sa.ForeignKeyConstraint(["run"], ["run.number"], name="fk_sample_run", ondelete="CASCADE"),
    )


def _cell() -> None:
    op.create_table(
        "cell",
        sa.Column("run", sa.Integer()),
        sa.Column("row", sa.BigInteger()),
        sa.Column("metric", sa.Integer()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("code", sa.Text()),
        sa.Column("value_number", sa.Double()),
        sa.Column("value_text", sa.Text()),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("cached_calls", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Double()),
        sa.Column("estimated", sa.Boolean(), nullable=False),
        sa.Column("detail", sa.Text()),
        sa.PrimaryKeyConstraint("run", "row", "metric", name="pk_cell"),
        sa.ForeignKeyConstraint(
            ["run", "metric"],
            ["metric.run", "metric.position"],
            name="fk_cell_metric",
            ondelete="CASCADE",
        ),
    )

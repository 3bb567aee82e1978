"""The lease of a run: who measures it, and when that process last said so."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; the runs that are there are held by nobody."""
    op.add_column("run", sa.Column("owner", sa.Text()))
    op.add_column("run", sa.Column("heartbeat", sa.DateTime(timezone=True)))

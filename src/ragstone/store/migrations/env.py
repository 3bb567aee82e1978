"""Run by Alembic: the migrations use the connection, and the transaction, of who opens a store."""

from __future__ import annotations

from alembic import context

from ragstone.store.revision import VERSION_TABLE
from ragstone.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()

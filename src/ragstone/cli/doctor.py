"""`ragstone doctor`: what is installed and configured. It opens no connection and no secret."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import click
from rich.table import Table
from rich.text import Text

from ragstone.api.defaults import local_installed, local_llm_ready
from ragstone.api.provenance import versions
from ragstone.cli.screen import show
from ragstone.errors import RagstoneError
from ragstone.llms.known import KNOWN, known_key
from ragstone.local_llm.catalogue import fetched_model
from ragstone.settings import Settings
from ragstone.store.opening import open_store

__all__ = ["command"]

_NEED = re.compile(r"^([A-Za-z0-9._-]+).*extra\s*==\s*['\"]([A-Za-z0-9._-]+)['\"]")
_SQLITE = "sqlite:///"
_INTERNAL = ("test", "all")


@click.command("doctor")
def command() -> None:
    """Say what is installed, which judge is used, and where things are.

    Opens no network connection, and shows the names of keys only, never a key.
    """
    settings = Settings.from_env()
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="cyan", no_wrap=True)
    facts.add_column(overflow="fold")
    found = versions()
    facts.add_row("versions", ", ".join(f"{name} {number}" for name, number in found.items()))
    for extra, missing in _extras().items():
        state = f"not installed: pip install 'ragstone[{extra}]'" if missing else "installed"
        facts.add_row(f"extra {extra}", Text(state, style="dim" if missing else ""))
    facts.add_row("judge", _judge(settings, os.environ))
    fetched = fetched_model(settings.models_dir)
    facts.add_row("local LLM", str(fetched or "none fetched; see `ragstone models list`"))
    facts.add_row("keys seen", ", ".join(_keys(os.environ)) or "none of a known provider")
    facts.add_row("data folder", str(settings.home))
    facts.add_row("runs", _database(settings.database_url))
    facts.add_row("cache", _cache(settings.cache_dir))
    show(facts)


def _extras() -> dict[str, list[str]]:
    """The packages that are missing, by extra."""
    missing: defaultdict[str, list[str]] = defaultdict(list)
    for need in importlib.metadata.requires("ragstone") or ():
        if (match := _NEED.match(need)) and match[2] not in _INTERNAL and match[1] != "ragstone":
            missing[match[2]] += [] if _installed(match[1]) else [match[1]]
    return dict(missing)


def _installed(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _judge(settings: Settings, env: Mapping[str, str]) -> str:
    """The judge that `evaluate` uses when none is named, and why."""
    if settings.judge is not None:
        return f"{settings.judge} (RAGSTONE_JUDGE says so)"
    if model := known_key(env):
        return f"{model} (its provider's key is set)"
    if local_llm_ready(settings):
        return "local-llm (no provider's key is set, and a model is fetched)"
    if local_installed():
        return "local (no provider's key is set)"
    return "none: set a provider's key, or pip install 'ragstone[local]'"


def _keys(env: Mapping[str, str]) -> list[str]:
    variables = dict.fromkeys(name for known in KNOWN.values() for name in known.variables)
    return [name for name in variables if env.get(name, "").strip()]


def _database(url: str) -> str:
    if not url.startswith(_SQLITE):
        parts = urlsplit(url)
        return f"{parts.scheme} on {parts.hostname or 'this machine'} (not contacted)"
    path = Path(url.removeprefix(_SQLITE)).expanduser()
    if not path.exists():
        return f"{path} (made with the first run)"
    try:
        with open_store(url, create=False) as store:
            newest = store.runs(limit=1)
    except RagstoneError as error:
        return f"{path} does not open: {error}"
    last = f", newest run {newest[0].name}" if newest else ""
    return f"{path} opens, {_size(path)}{last}"


def _cache(folder: Path) -> str:
    if not folder.is_dir():
        return f"{folder} (made when an LLM first judges)"
    return f"{folder}, {_size(*(path for path in folder.iterdir() if path.is_file()))}"


def _size(*paths: Path) -> str:
    return f"{sum(path.stat().st_size for path in paths) / 1e6:,.1f} MB"

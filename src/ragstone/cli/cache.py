"""`ragstone cache`: the kept answers of LLM judges."""

from __future__ import annotations

from pathlib import Path

import click

from ragstone.cache import DiskCacheBackend
from ragstone.cli.screen import note, show
from ragstone.report.numbers import count_text
from ragstone.settings import Settings

__all__ = ["command"]


@click.group("cache")
def command() -> None:
    """Look after the kept answers of LLM judges.

    An LLM is not asked the same question twice: its answers are kept on this machine.
    """


@command.command("path")
def path() -> None:
    """Print the folder of the cache."""
    click.echo(str(_folder()))


@command.command("stats")
def stats() -> None:
    """Say how many answers are kept, and how much space they take."""
    if not _folder().is_dir():
        show("The cache is empty.")
        return
    with DiskCacheBackend(_folder()) as cache:
        found = cache.stats()
    show(f"{count_text(found.entries, 'answer')}, {found.bytes / 1e6:,.1f} MB, in {found.path}")


@command.command("clear")
def clear() -> None:
    """Forget all kept answers. Runs and their scores stay."""
    if not _folder().is_dir():
        note("The cache is empty.")
        return
    with DiskCacheBackend(_folder()) as cache:
        count = len(cache)
        cache.clear()
    note(f"Forgot {count_text(count, 'answer')}.")


def _folder() -> Path:
    return Settings.from_env().cache_dir

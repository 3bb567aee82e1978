"""`ragstone new`: the files of something new, ready to be filled in."""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import sys
from importlib import resources
from pathlib import Path
from string import Template

import click

from ragstone.cli.screen import note, show
from ragstone.errors import UsageError
from ragstone.metrics.base import snake_case
from ragstone.metrics.catalogue import ALIASES, names

__all__ = ["command"]

_FILES = {"metric.py.txt": "{}.py", "words.toml.txt": "{}.toml", "test.py.txt": "test_{}.py"}


@click.group("new")
def command() -> None:
    """Write the files of a new metric."""


@command.command("metric")
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("metrics"),
    show_default=True,
    help="Where the files go; it is made when it is not there.",
)
def metric(name: str, folder: Path) -> None:
    """Write NAME.py, the words for its judge in NAME.toml, and test_NAME.py, which passes.

    NAME is in small letters, as in `polite` or `short_enough`. With RAGSTONE_METRICS=FOLDER every
    command knows the metric. No file that is there is changed.
    """
    checked = _checked(name)
    folder.mkdir(parents=True, exist_ok=True)
    written = _write(folder, checked)
    show("\n".join(str(path) for path in written))
    note(
        f"Say in {written[0].name} and {written[1].name} what is measured. Then:\n"
        f"  pytest {written[2]}\n"
        f"  RAGSTONE_METRICS={folder} ragstone metrics {checked}"
    )


def _checked(name: str) -> str:
    """The name, when a file, a module, a class and a metric can be called so."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > 60:
        raise UsageError(
            f"{name!r} is no name for a metric: small letters, digits and single underscores, as "
            "in short_enough"
        )
    if keyword.iskeyword(name) or snake_case(_class_name(name)) != name:
        raise UsageError(f"{name!r} cannot be the name of a class; begin each word with a letter")
    if name in names() or name in {snake_case(alias) for alias in ALIASES}:
        raise UsageError(f"there is a metric {name!r} already: ragstone metrics {name}")
    if name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None:
        raise UsageError(f"there is a Python module {name!r} already; choose another name")
    return name


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _write(folder: Path, name: str) -> list[Path]:
    """All three files, or none: what is there stays as it is."""
    paths = {source: folder / pattern.format(name) for source, pattern in _FILES.items()}
    if there := [str(path) for path in paths.values() if os.path.lexists(path)]:
        raise UsageError(f"{', '.join(map(repr, there))}: there already, and left as it is")
    words = name.replace("_", " ")
    told = {"name": name, "cls": _class_name(name), "const": name.upper(), "words": words}
    told["title"] = words.capitalize()
    room = resources.files("ragstone.cli") / "templates"
    for source, path in paths.items():
        text = Template((room / source).read_text(encoding="utf-8")).substitute(told)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return list(paths.values())

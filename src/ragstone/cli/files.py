"""Reports as files: the format by the name, checked before any work is done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragstone.errors import UsageError

if TYPE_CHECKING:
    from ragstone.schema.rundata import RunData

__all__ = ["check_folder", "report_format", "usual_name", "write_report"]

_BY_ENDING = {
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".xml": "junit",
    ".json": "json",
    ".csv": "csv",
}
_ENDING = {"html": "html", "md": "md", "junit": "xml", "json": "json", "csv": "csv"}


def report_format(path: Path) -> str:
    """The format that the ending names. Raises UsageError, also when the folder does not exist."""
    found = _BY_ENDING.get(path.suffix.lower())
    if found is None:
        endings = ", ".join(_BY_ENDING)
        raise UsageError(f"no report format has the ending of {str(path)!r}; use {endings}")
    check_folder(path)
    return found


def check_folder(path: Path) -> None:
    """Refuse a file that cannot be written for want of its folder."""
    if path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {str(path.parent)!r}; make it first")


def usual_name(stem: str, form: str) -> Path:
    """The name of a report when the user gives none."""
    return Path(f"{stem}.{_ENDING[form]}")


def write_report(data: RunData, form: str, path: Path) -> None:
    """Write the report to a file, or to stdout for "-"."""
    from ragstone.report.render import render_report

    text = render_report(data, form)
    if str(path) == "-":
        click.echo(text.encode(), nl=False)
    else:
        path.write_text(text, encoding="utf-8", newline="")

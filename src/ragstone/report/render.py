"""The one door of this room: a run and the name of a format give a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragstone.errors import UsageError
from ragstone.report.csv_report import csv_report
from ragstone.report.html import html_report
from ragstone.report.json_report import json_report
from ragstone.report.junit import junit_report
from ragstone.report.markdown import markdown_report
from ragstone.schema.rundata import RunData

__all__ = ["FORMATS", "render_report"]

FORMATS: Mapping[str, Callable[[RunData], str]] = {
    "html": html_report,
    "md": markdown_report,
    "junit": junit_report,
    "json": json_report,
    "csv": csv_report,
}


def render_report(data: RunData, format: str) -> str:
    """The run as html, md, junit, json or csv; the text has LF at line ends and is valid UTF-8.

    Raises UsageError for another format.
    """
    if format not in FORMATS:
        raise UsageError(f"no report format {format!r}; there are: {', '.join(FORMATS)}")
    return FORMATS[format](data)

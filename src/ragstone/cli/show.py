"""`ragstone show`: the scores of a run, or all about one row."""

from __future__ import annotations

from dataclasses import fields

import click

from ragstone.cli import options
from ragstone.cli.outcome import row_hint
from ragstone.cli.rowview import row_parts
from ragstone.cli.screen import note, show, show_json
from ragstone.cli.stored import load_run, open_runs
from ragstone.errors import UsageError
from ragstone.report.lowest import lowest_table
from ragstone.report.table import metric_table
from ragstone.schema.cells import Cell
from ragstone.schema.rundata import RunData
from ragstone.stats.runs import summarize_run

__all__ = ["command"]


@click.command("show")
@click.argument("run", default="latest")
@click.option("--row", metavar="N|ID", help="One row: its number from 1, or the id of its sample.")
@options.json_output
@options.database
def command(run: str, row: str | None, as_json: bool, database: str | None) -> None:
    """Show the scores of a run, or all about one of its rows.

    RUN is an id, the start of an id, a name, or "latest" (the default). With --row: the sample,
    and for each score the claims, the verdicts and the words of the judge.
    """
    with open_runs(database) as store:
        data = load_run(store, run)
    if row is not None:
        _show_row(data, _row_number(data, row), as_json)
    elif as_json:
        summary = summarize_run(data)
        show_json({"run": data.run, "usage": data.usage, "summary": summary})
    else:
        show(metric_table(summarize_run(data), data.run, data.cells))
        if lowest := lowest_table(data):
            show("", lowest)
        note(f"\n{row_hint(data)}")


def _show_row(data: RunData, row: int, as_json: bool) -> None:
    if as_json:
        cells = [_cell(cell) for cell in data.cells if cell.row == row]
        show_json({"row": row + 1, "sample": data.samples[row].to_dict(), "cells": cells})
    else:
        show(*row_parts(data, row))


def _cell(cell: Cell) -> dict[str, object]:
    """A cell without its row, which is said once, from 1."""
    return {f.name: getattr(cell, f.name) for f in fields(cell) if f.name != "row"}


def _row_number(data: RunData, text: str) -> int:
    """The row from 0; a text that is the id of a sample wins over a number."""
    for row, sample in enumerate(data.samples):
        if sample.id == text:
            return row
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(data.samples):
        return int(text) - 1
    raise UsageError(
        f"no row {text!r} in {data.run.name!r}: give a number from 1 to {len(data.samples)}, "
        "or the id of a sample"
    )

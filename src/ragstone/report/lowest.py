"""The rows that scored lowest, as a table for the terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ragstone.report.numbers import score_text
from ragstone.report.plaintext import excerpt
from ragstone.report.table import empty_table
from ragstone.report.titles import row_title
from ragstone.report.worst import row_score, worst_rows
from ragstone.schema.rundata import RunData

__all__ = ["lowest_table"]

_SHOWN = 5
_TITLE = 56


def lowest_table(data: RunData) -> Table | None:
    """The five lowest rows below 1: number from 1, mean over the metrics (0 to 1), question.

    None when there is no such row.
    """
    rows = worst_rows(data)[:_SHOWN]
    if not rows:
        return None
    table = empty_table()
    table.add_column("lowest rows", justify="right", no_wrap=True, min_width=11)
    table.add_column("mean", justify="right", no_wrap=True, min_width=5)
    table.add_column("question", no_wrap=True)
    for row in rows:
        title = excerpt(row_title(data.samples[row]), _TITLE) or "(blank)"
        table.add_row(f"{row + 1:,}", score_text(row_score(data, row)), Text(title))
    return table

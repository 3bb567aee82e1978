"""What an evaluation prints when it ends: the table, the report, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from ragstone.cli.files import write_report
from ragstone.cli.program import program
from ragstone.cli.screen import note, show
from ragstone.errors import RagstoneError
from ragstone.report.plaintext import excerpt
from ragstone.report.table import metric_table
from ragstone.report.worst import worst_rows
from ragstone.schema.cells import Cell

if TYPE_CHECKING:
    from ragstone.api.result import EvaluationResult
    from ragstone.schema.rundata import RunData

__all__ = ["row_hint", "show_outcome"]

_ERROR = 400


def show_outcome(
    result: EvaluationResult, form: str | None, report: Path | None, also: Sequence[str] = ()
) -> None:
    """Print the table of a run, write its report if one is wanted, and name the next commands.

    `also` are metrics that the data could feed too.

    Raises RagstoneError when cells failed and not one was scored: that is no result.
    """
    data = result.data
    show(metric_table(result.summary, data.run, data.cells))
    if also:
        show(Text(f"Not measured: {', '.join(also)}. Add with -m.", style="dim"))
    if form is not None and report is not None:
        write_report(data, form, report)
        note(f"\nReport: {report}")
    _refuse_failure(data)
    note(f"\n{row_hint(data)}")
    if report is None:
        note(f"The whole run as a page:          {program()} report {data.run.id}")


def row_hint(data: RunData) -> str:
    """The command that shows the row with the lowest scores, or the first row."""
    worst = worst_rows(data)
    what = "The lowest row with its evidence: " if worst else "One row with all its evidence:    "
    return f"{what}{program()} show {data.run.id} --row {worst[0] + 1 if worst else 1}"


def _refuse_failure(data: RunData) -> None:
    failed = [cell for cell in data.cells if cell.result.status == "failed"]
    if failed and not any(cell.result.status == "scored" for cell in data.cells):
        raise RagstoneError(
            f"nothing was scored; the first error is {_said(failed[0])}. "
            f"When that is mended, go on with: {program()} resume {data.run.id}"
        )


def _said(cell: Cell) -> str:
    return excerpt(cell.result.error or cell.result.code or "without a message", _ERROR).rstrip(".")

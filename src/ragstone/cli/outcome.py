"""What an evaluation prints when it ends: the table, the report, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ragstone.cli.files import write_report
from ragstone.cli.screen import note, show
from ragstone.report.table import metric_table

if TYPE_CHECKING:
    from ragstone.api.result import EvaluationResult

__all__ = ["show_outcome"]


def show_outcome(result: EvaluationResult, form: str | None, report: Path | None) -> None:
    """Print the table of a run, write its report if one is wanted, and name the next commands."""
    data = result.data
    show(metric_table(result.summary, data.run, data.cells))
    if form is not None and report is not None:
        write_report(data, form, report)
        note(f"\nReport: {report}")
    note(f"\nOne row with all its evidence: ragstone show {data.run.id} --row 1")
    if report is None:
        note(f"The whole run as a page:        ragstone report {data.run.id}")

"""`ragstone report`: a run as a page or file."""

from __future__ import annotations

from pathlib import Path

import click

from ragstone.cli import options
from ragstone.cli.files import check_folder, report_format, usual_name, write_report
from ragstone.cli.screen import note
from ragstone.cli.stored import load_run, open_runs
from ragstone.report.render import FORMATS

__all__ = ["command"]


@click.command("report")
@click.argument("run", default="latest")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    help="Default: what the ending of the file says, else html.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE|-",
    help="The file (default: ragstone-RUN with the usual ending), or - for stdout.",
)
@options.database
def command(run: str, form: str | None, output: Path | None, database: str | None) -> None:
    """Write the report of a run.

    RUN is an id, the start of an id, a name, or "latest" (the default). The HTML page is one file
    that needs no network.
    """
    to_stdout = output is not None and str(output) == "-"
    if output is not None and not to_stdout:
        check_folder(output)
        form = form or report_format(output)
    with open_runs(database) as store:
        data = load_run(store, run)
    chosen = form or "html"
    path = output or usual_name(f"ragstone-{data.run.id}", chosen)
    write_report(data, chosen, path)
    if not to_stdout:
        note(f"Wrote {path}")

"""`ragstone evaluate`: measure the answers in a file."""

from __future__ import annotations

from pathlib import Path

import click

from ragstone.api.evaluation import evaluate
from ragstone.cli import options
from ragstone.cli.files import report_format
from ragstone.cli.naming import column_map, data_file, metric_list
from ragstone.cli.outcome import show_outcome
from ragstone.cli.stored import note_twins
from ragstone.cli.suited import check_defaults, column_error, unmeasured
from ragstone.data.readers import read_samples
from ragstone.errors import MissingField, UsageError

__all__ = ["command"]


@click.command("evaluate")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--metrics",
    "-m",
    multiple=True,
    metavar="NAMES",
    help="What to measure, as in faithfulness,factual_correctness:mode=recall. Default: the four "
    "usual ones that the data allow. `ragstone metrics` lists all.",
)
@options.judge
@click.option("--name", help="Name of the run (default: file and time).")
@click.option(
    "--group-by",
    metavar="COLUMN",
    help="Rows with one value in this column belong together (document, user), which widens the "
    "intervals as it should.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Which column fills a field, as in response=answer_v2. Repeatable.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N rows.")
@options.budget
@options.concurrency
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write a report: .html, .md, .xml (JUnit), .json or .csv.",
)
@options.database
def command(  # noqa: PLR0913 - one parameter an option
    file: Path,
    metrics: tuple[str, ...],
    judge: str | None,
    name: str | None,
    group_by: str | None,
    columns: tuple[str, ...],
    limit: int | None,
    budget: str | None,
    concurrency: int,
    report: Path | None,
    database: str | None,
) -> None:
    """Measure how good the answers in a file are.

    FILE holds one sample a row: CSV, TSV, JSONL, JSON or Parquet. Usual column names are known
    (question, answer, contexts, ground_truth, ...); others are named with --column. Each score is
    kept as soon as it is made: Ctrl-C loses nothing, and `ragstone resume` goes on.
    """
    form = report_format(report) if report else None
    source = data_file(file)
    if report is not None and report.exists() and report.samefile(source):
        raise UsageError(f"--report would overwrite the data in {str(file)!r}; name another file")
    data = read_samples(source, column_map=column_map(columns))
    chosen = metric_list(metrics)
    if chosen is None:
        check_defaults(data)
    try:
        result = evaluate(
            data if limit is None else data[:limit],
            chosen,
            judge,
            name=name,
            store=database,
            budget=budget,
            group_by=group_by,
            concurrency=concurrency,
        )
    except MissingField as error:
        raise column_error(error, data) from None
    also = unmeasured(data, result.metrics) if chosen is None else []
    show_outcome(result, form, report, also)
    if name is not None:
        note_twins(database, name)

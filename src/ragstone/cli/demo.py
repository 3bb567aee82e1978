"""`ragstone demo`: evaluate the data set that ships with Ragstone."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import click

from ragstone.api.defaults import local_installed
from ragstone.api.evaluation import DEFAULT_METRICS, evaluate
from ragstone.cli import options
from ragstone.cli.files import report_format
from ragstone.cli.outcome import show_outcome
from ragstone.data.readers import read_samples
from ragstone.errors import MissingExtra
from ragstone.metrics.catalogue import build

__all__ = ["command"]

_METRICS = (*DEFAULT_METRICS, "factual_correctness", "semantic_similarity")


@click.command("demo")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    default=Path("ragstone-demo.html"),
    show_default=True,
    metavar="PATH",
    help="Where the report goes: .html, .md, .xml (JUnit), .json or .csv.",
)
@options.database
def command(report: Path, database: str | None) -> None:
    """Evaluate the data set that ships with Ragstone, offline.

    102 questions about the SQLite documentation, with what a retriever found and what an
    application answered; some answers have deliberate faults. The local judge needs no key.
    """
    form = report_format(report)
    if not local_installed():
        raise MissingExtra("the demo", "local")
    with as_file(files("ragstone") / "demo" / "sqlite_docs.jsonl") as path:
        data = read_samples(path)
    metrics = [build(name) for name in _METRICS]
    result = evaluate(data, metrics, "local", name="demo", store=database)
    show_outcome(result, form, report)

"""`ragstone runs`: the runs that are kept."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from ragstone.cli import options
from ragstone.cli.screen import note, show, show_json
from ragstone.cli.stored import load_run, open_runs
from ragstone.report.facts import judge_text, label_shares, time_text
from ragstone.report.numbers import count_text, score_text
from ragstone.report.plaintext import one_line
from ragstone.report.table import empty_table
from ragstone.schema.runs import Run
from ragstone.stats.runs import MetricLine, summarize_run

__all__ = ["command"]

_SHOWN_METRICS = 6


@click.command("runs")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="Only the newest N.",
)
@options.json_output
@options.database
def command(limit: int, as_json: bool, database: str | None) -> None:
    """List the runs, newest first."""
    with open_runs(database) as store:
        found = [
            (run, summarize_run(load_run(store, run.id)).lines) for run in store.runs(limit=limit)
        ]
    if as_json:
        show_json([_plain(run, lines) for run, lines in found])
    elif found:
        show(_table(found))
    else:
        note("There are no runs yet. Begin with: ragstone demo")


def _plain(run: Run, lines: tuple[MetricLine, ...]) -> dict[str, object]:
    means = {line.info.key: line.summary.mean if line.summary else None for line in lines}
    return {
        "id": run.id,
        "name": run.name,
        "created": run.created,
        "state": run.state,
        "dataset": run.dataset,
        "n_rows": run.n_rows,
        "judge": run.judge.name if run.judge else None,
        "means": means,
    }


def _table(found: list[tuple[Run, tuple[MetricLine, ...]]]) -> Table:
    table = empty_table()
    table.add_column("run", overflow="fold", ratio=3)
    table.add_column("data, judge", overflow="fold", ratio=3)
    table.add_column("means", overflow="fold", ratio=4)
    for run, lines in found:
        about = [one_line(run.dataset or "data without name"), count_text(run.n_rows, "row")]
        state = "" if run.state == "done" else f"\n{run.state}"
        table.add_row(
            Text.assemble(
                (one_line(run.name), "bold"),
                f"\n{run.id}\n{time_text(run.created)}",
                (state, "yellow"),
            ),
            Text("\n".join([*about, judge_text(run.judge)])),
            _means(lines),
        )
    return table


def _means(lines: tuple[MetricLine, ...]) -> Text:
    shown = [f"{_mean(line)}  {one_line(line.info.key)}" for line in lines[:_SHOWN_METRICS]]
    more = len(lines) - _SHOWN_METRICS
    return Text("\n".join([*shown, *([f"and {more} more"] if more > 0 else [])]))


def _mean(line: MetricLine) -> str:
    if line.shares:
        return label_shares(line)
    return score_text(line.summary.mean if line.summary else None)

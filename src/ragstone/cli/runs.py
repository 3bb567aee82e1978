"""`ragstone runs`: the runs that are kept."""

from __future__ import annotations

import math
from collections import Counter

import click
from rich.table import Table
from rich.text import Text

from ragstone.cli import options
from ragstone.cli.screen import note, show, show_json
from ragstone.cli.stored import open_runs
from ragstone.report.facts import judge_text, time_text
from ragstone.report.numbers import count_text, score_text, share_text
from ragstone.report.plaintext import one_line
from ragstone.report.table import empty_table
from ragstone.schema.results import Value
from ragstone.schema.runs import Run
from ragstone.store.store import Store

__all__ = ["command"]

_SHOWN_METRICS, _SHOWN_LABELS = 6, 3

Mean = float | dict[str, float] | None
Means = dict[str, tuple[Mean, int]]  # by metric: the mean, and over how many scored rows


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
        found = [(run, _means(store, run)) for run in store.runs(limit=limit)]
    if as_json:
        show_json([_plain(run, means) for run, means in found])
    elif found:
        show(_table(found))
    else:
        note("There are no runs yet. Begin with: ragstone demo")


def _means(store: Store, run: Run) -> Means:
    """The mean of each metric, the shares of its labels, or None without a score."""
    values: dict[str, list[Value]] = {info.key: [] for info in run.metrics}
    for cell in store.cells(run.id):
        if cell.result.status == "scored":
            values[cell.metric].append(cell.result.value)
    return {key: (_mean(column), len(column)) for key, column in values.items()}


def _mean(values: list[Value]) -> Mean:
    numbers = [float(value) for value in values if isinstance(value, (int, float))]
    if len(numbers) < len(values):
        counts = Counter(map(str, values)).most_common()
        return {label: count / len(values) for label, count in counts}
    return math.fsum(numbers) / len(numbers) if numbers else None


def _plain(run: Run, means: Means) -> dict[str, object]:
    return {
        "id": run.id,
        "name": run.name,
        "created": run.created,
        "state": run.state,
        "dataset": run.dataset,
        "n_rows": run.n_rows,
        "judge": run.judge.name if run.judge else None,
        "means": {key: mean for key, (mean, _) in means.items()},
        "n_scored": {key: scored for key, (_, scored) in means.items()},
    }


def _table(found: list[tuple[Run, Means]]) -> Table:
    table = empty_table()
    table.add_column("run", overflow="fold", ratio=3)
    table.add_column("data, judge", overflow="fold", ratio=3)
    table.add_column("means", overflow="fold", ratio=4)
    for run, means in found:
        about = [one_line(run.dataset or "data without name"), count_text(run.n_rows, "row")]
        state = "" if run.state == "done" else f"\n{run.state}"
        table.add_row(
            Text.assemble(
                (one_line(run.name), "bold"),
                f"\n{run.id}\n{time_text(run.created)}",
                (state, "yellow"),
            ),
            Text("\n".join([*about, judge_text(run.judge)])),
            _shown(means, run.n_rows),
        )
    return table


def _shown(means: Means, n_rows: int) -> Text:
    lines = [
        f"{_text(mean)}  {one_line(key)} ({scored:,}/{n_rows:,})"
        for key, (mean, scored) in means.items()
    ]
    more = [f"and {len(lines) - _SHOWN_METRICS} more"] if len(lines) > _SHOWN_METRICS else []
    return Text("\n".join(lines[:_SHOWN_METRICS] + more))


def _text(mean: Mean) -> str:
    if isinstance(mean, dict):
        shares = list(mean.items())[:_SHOWN_LABELS]
        return ", ".join(f"{one_line(label)} {share_text(share)}" for label, share in shares)
    return score_text(mean)

"""A run as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ragstone.report.facts import (
    errors,
    judge_note,
    left_out,
    missing,
    needs_llm,
    overall_note,
    run_facts,
    state_text,
)
from ragstone.report.numbers import interval_text, score_text, share_text
from ragstone.report.plaintext import excerpt, one_line
from ragstone.schema.cells import Cell
from ragstone.schema.runs import Run
from ragstone.schema.usage import Usage
from ragstone.stats.runs import MetricLine, RunSummary

__all__ = ["empty_table", "metric_table"]

_SHOWN_REASONS = 3
_SHOWN_ERRORS = 5
_SHOWN_LABELS = 8
_LONG_KEY = 24


def metric_table(summary: RunSummary, run: Run, cells: Sequence[Cell] = ()) -> RenderableType:
    """The scores of a run: one line a metric, the overall score, and what needs attention.

    `cells` add what the run took and the errors of failed cells. Fits in 80 columns, and reads
    without color.
    """
    return Group(
        _header(run, cells),
        Text(),
        _scores(summary),
        *_notes(summary, run, cells),
    )


def empty_table() -> Table:
    """A table without lines, as all tables of the terminal are."""
    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")


def _header(run: Run, cells: Sequence[Cell]) -> Table:
    usage = Usage.total(cell.usage for cell in cells)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("Run", Text.assemble((one_line(run.name), "bold"), f"  {run.id}"))
    for label, text in run_facts(run, usage, cells).items():
        grid.add_row(label, Text(text))
    if state := state_text(run):
        grid.add_row("State", Text(state, style="yellow"))
    return grid


def _scores(summary: RunSummary) -> Table:
    table = empty_table()
    table.add_column("metric", overflow="fold", min_width=16)
    table.add_column("mean", justify="right", no_wrap=True)
    table.add_column("95 % interval", no_wrap=True)
    table.add_column("scored", justify="right", no_wrap=True)
    table.add_column("no score", overflow="fold", min_width=10)
    for line in summary.lines:
        table.add_row(*_line(line))
        for cells in _label_rows(line):
            table.add_row(*cells)
    overall = summary.overall
    table.add_row()
    table.add_row(
        Text("overall score", style="bold"),
        Text(score_text(overall.value), style="bold"),
        interval_text(overall.interval),
        f"{overall.n_scored:,}/{overall.n_total:,}",
    )
    return table


def _line(line: MetricLine) -> Iterator[RenderableType]:
    name = _name(line.info.key)
    if not line.info.higher_is_better:
        name.append(" ↓", style="cyan")
    if line.shares:
        yield name
        yield Text("labels", style="dim")
        yield ""
    else:
        mean = line.summary.mean if line.summary else None
        yield name
        yield Text(score_text(mean), style="dim" if mean is None else "bold")
        yield interval_text(line.summary.interval if line.summary else None)
    full = line.n_scored == line.n_total
    yield Text(f"{line.n_scored:,}/{line.n_total:,}", style="" if full else "bold yellow")
    reasons = missing(line)
    more = len(reasons) - _SHOWN_REASONS
    shown = reasons[:_SHOWN_REASONS] + ([f"{more} more reasons"] if more > 0 else [])
    yield Text(", ".join(shown), style="yellow")


def _name(key: str) -> Text:
    """The key of a metric, with its configuration on a line of its own when it is long."""
    name, bracket, rest = one_line(key).partition("(")
    long = len(key) > _LONG_KEY and bracket
    return Text(f"{name}\n  ({rest}" if long else f"{name}{bracket}{rest}")


def _label_rows(line: MetricLine) -> Iterator[tuple[RenderableType, ...]]:
    ranked = sorted(line.shares.items(), key=lambda item: -(item[1].mean or 0.0))
    for label, share in ranked[:_SHOWN_LABELS]:
        name = Text(f"  {excerpt(label, 30)}")
        yield name, share_text(share.mean), Text(interval_text(share.interval))
    if len(ranked) > _SHOWN_LABELS:
        yield (Text(f"  {len(ranked) - _SHOWN_LABELS:,} more labels", style="dim"),)


def _notes(summary: RunSummary, run: Run, cells: Sequence[Cell]) -> Iterator[Text]:
    yield Text()
    if not all(line.info.higher_is_better for line in summary.lines):
        yield Text("↓ lower is better", style="dim")
    yield Text(f"Overall: {overall_note(summary)}.", style="dim")
    if local := judge_note(run):
        yield Text(local, style="dim")
    for text in left_out(run):
        yield Text(text)
    if sentence := needs_llm(summary):
        yield Text(sentence, style="yellow")
    found = list(errors(cells).items())
    for message, count in found[:_SHOWN_ERRORS]:
        yield Text(f"failed {count:,} × {message}", style="red")
    if len(found) > _SHOWN_ERRORS:
        yield Text(f"failed with {len(found) - _SHOWN_ERRORS:,} other errors", style="red")

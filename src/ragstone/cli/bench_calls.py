"""`ragstone bench calls`: what each metric takes."""

from __future__ import annotations

import click

from ragstone import bridge
from ragstone.bench.calls.counting import Counted, count_metrics, count_packs
from ragstone.bench.calls.tables import cells, head, markdown, note
from ragstone.cli.screen import show, show_json
from ragstone.report.table import empty_table

__all__ = ["command"]


@click.command("calls")
@click.option(
    "--contexts",
    type=click.IntRange(min=1, max=1000),
    default=5,
    metavar="N",
    show_default=True,
    help="Contexts of the sample.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "markdown", "json"]),
    default="table",
    show_default=True,
)
def command(contexts: int, form: str) -> None:
    """Count the calls and tokens of each metric that asks a judge, for one sample.

    The judge is a script, so nothing is paid and the numbers are always the same. The last lines
    are metrics measured together, which share what they ask.
    """
    found = bridge.run(_counted(contexts))
    if form == "json":
        show_json(found)
    elif form == "markdown":
        click.echo(markdown(found, contexts))
    else:
        table = empty_table()
        for name in head():
            table.add_column(name, overflow="fold", justify="left" if name == "metric" else "right")
        for row in cells(found):
            table.add_row(*row)
        show(table, "", note(contexts))


async def _counted(contexts: int) -> list[Counted]:
    return [*await count_metrics(contexts), *await count_packs(contexts)]

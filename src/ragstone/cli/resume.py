"""`ragstone resume`: go on with a run that stopped."""

from __future__ import annotations

import click

from ragstone.api.resume import resume
from ragstone.cli import options
from ragstone.cli.outcome import show_outcome
from ragstone.cli.stored import find_run, open_runs

__all__ = ["command"]


@click.command("resume")
@click.argument("run")
@click.option("--judge", metavar="local|MODEL", help="Default: the judge of the run.")
@options.budget
@options.concurrency
@options.database
def command(
    run: str, judge: str | None, budget: str | None, concurrency: int, database: str | None
) -> None:
    """Go on with a run that stopped; nothing is measured twice.

    RUN is an id, the start of an id, a name, or "latest". Data, metrics and judge come from the
    record of the run; cells that failed are measured again. Another judge than before is refused.
    """
    with open_runs(database) as store:
        run_id = find_run(store, run).id
    result = resume(run_id, judge, store=database, budget=budget, concurrency=concurrency)
    show_outcome(result, None, None)

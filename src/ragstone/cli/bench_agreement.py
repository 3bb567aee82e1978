"""`ragstone bench agreement`: a judge held against people."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import RenderableType
from rich.text import Text

from ragstone.api.defaults import choose_embedder, choose_judge
from ragstone.bench.agreement.measuring import Agreement
from ragstone.bench.agreement.running import Choice, find_sets, measure_agreement
from ragstone.bench.agreement.scores import ScoreFile, Who
from ragstone.bench.agreement.sets import SETS
from ragstone.bench.agreement.tables import (
    HEAD,
    NOTE,
    cells,
    heading,
    judged_by,
    markdown,
    seen_by,
    set_name,
    sources,
)
from ragstone.cli import options
from ragstone.cli.screen import show, show_json
from ragstone.errors import UsageError
from ragstone.report.table import empty_table
from ragstone.settings import Settings
from ragstone.tools.toolbox import Toolbox

__all__ = ["command"]


@click.command("agreement", epilog=f"Sets: {', '.join(one.name for one in SETS)}.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    envvar="RAGSTONE_LABELLED_DATA",
    show_envvar=True,
    required=True,
    help="Folder of labelled sets: NAME.jsonl.gz or NAME.jsonl, there or in its folder 'dev'.",
)
@options.judge
@click.option("--set", "sets", multiple=True, metavar="NAME", help="A set; can be repeated.")
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of each set the N rows whose hash of the id is smallest.",
)
@click.option(
    "--held-out",
    is_flag=True,
    help="Only the fixed fifth of the groups that is kept from the training of weights; what else "
    "learned from it is said.",
)
@click.option(
    "--scores",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the scores here. Rows that are in it are not asked about again; when all are, no "
    "judge is loaded.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "markdown", "json"]),
    default="table",
    show_default=True,
)
def command(
    data: Path,
    judge: str | None,
    sets: tuple[str, ...],
    rows: int | None,
    held_out: bool,
    scores: Path | None,
    form: str,
) -> None:
    """Measure how well a judge agrees with people, on sets of labelled rows.

    Each set is asked about through the prompts of the metrics. Rows without a score are in no
    number, and are counted.
    """
    choice = Choice(data, sets, rows, held_out)
    find_sets(choice)
    kept = ScoreFile(scores)
    named = _named(judge, kept)

    def tools() -> Toolbox:
        settings = Settings.from_env()
        return Toolbox(choose_judge(named, settings), choose_embedder(None))

    found = list(measure_agreement(choice, named or "default", tools, kept, _progress))
    _print(found, kept.who, form)


def _named(judge: str | None, kept: ScoreFile) -> str | None:
    """Who is to judge: as named, else as the scores were made."""
    if kept.who is None or judge is None:
        return kept.who.name if kept.who else judge
    if Path(judge).name != Path(kept.who.name).name:
        raise UsageError(
            f"{str(kept.path)!r} holds scores of {kept.who.name!r}, not of {judge!r}; name another "
            "file with --scores"
        )
    return judge


def _print(found: list[Agreement], who: Who | None, form: str) -> None:
    if form == "json":
        sets = [asdict(one) | {"rows_per_second": one.rows_per_second} for one in found]
        show_json({"who": who, "sets": sets})
    elif form == "markdown":
        click.echo(markdown(found, who))
    else:
        show(*_screen(found, who))


def _screen(found: list[Agreement], who: Who | None) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(judged_by(who))]
    for one in found:
        table = empty_table()
        for name in HEAD:
            table.add_column(name, no_wrap=name != HEAD[-1], overflow="fold")
        for row in cells(one):
            table.add_row(*row)
        parts += [Text(), Text.assemble((set_name(one), "bold"), f"  {heading(one)}"), table]
    return [*parts, Text(), NOTE, *seen_by(found), *sources(found)]


def _progress(name: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{name} {done:,}/{total:,}", err=True, nl=done == total)

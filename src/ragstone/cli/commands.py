"""The commands by name. A plain table, so that `ragstone --help` loads none of them."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping

import click

import ragstone as package

__all__ = ["COMMANDS", "LazyGroup", "ragstone"]

_ROOM = "ragstone.cli"

COMMANDS: Mapping[str, tuple[str, str]] = {
    "evaluate": ("evaluate", "Measure how good the answers in a file are."),
    "demo": ("demo", "Evaluate the data set that ships with Ragstone, offline."),
    "runs": ("runs", "List the runs, newest first."),
    "show": ("show", "Show the scores of a run, or all about one of its rows."),
    "compare": ("compare", "Say whether run B is better than run A, and how sure that is."),
    "gate": ("gate", "Hold a run against limits, for a build that must stop."),
    "report": ("report", "Write the report of a run."),
    "resume": ("resume", "Go on with a run that stopped; nothing is measured twice."),
    "metrics": ("metrics", "List what can be measured, or explain one metric."),
    "new": ("new", "Write the files of a new metric."),
    "cache": ("cache", "Look after the kept answers of LLM judges."),
    "bench": ("bench", "Measure Ragstone itself: its judges, and the calls of its metrics."),
    "models": ("models", "List, fetch and check the models that judge offline."),
    "doctor": ("doctor", "Say what is installed, which judge is used, and where things are."),
}
"""Name of a command -> its module in this room, and its help in one sentence."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which they are needed."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command; None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{_ROOM}.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the near names."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=2, cutoff=0.6)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
            names = f"Commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint or names}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Try it:         ragstone demo
Your own data:  ragstone evaluate answers.jsonl --name before
Was it better:  ragstone compare before after""",
)
@click.version_option(package.__version__, "-V", "--version", message="ragstone %(version)s")
def ragstone() -> None:
    """Measure how good the answers of a RAG system, an agent or any LLM application are."""

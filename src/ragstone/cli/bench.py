"""`ragstone bench`: measurements of Ragstone itself."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click

__all__ = ["MEASUREMENTS", "command"]

MEASUREMENTS: Mapping[str, tuple[str, str]] = {
    "agreement": ("bench_agreement", "Measure how well a judge agrees with people."),
    "calls": ("bench_calls", "Count the calls and tokens of each metric."),
}
"""Name of a measurement -> its module in this room, and its help in one sentence."""


class _Measurements(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MEASUREMENTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MEASUREMENTS:
            return None
        module = importlib.import_module(f"ragstone.cli.{MEASUREMENTS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in MEASUREMENTS.items()])


@click.group("bench", cls=_Measurements)
def command() -> None:
    """Measure Ragstone itself: its judges, and the calls of its metrics."""

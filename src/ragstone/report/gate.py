"""The answer of a gate, as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from ragstone.report.plaintext import broken_name, one_line
from ragstone.report.table import empty_table

__all__ = ["GateCheck", "gate_table"]


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One rule of a gate and its answer.

    `rule` is what was asked ("at least 0.8", "no worse than 0.02", "all rows scored"), `found` the
    number behind the answer as text, `message` a sentence where more is to be said.
    """

    metric: str
    rule: str
    passed: bool
    found: str
    message: str = ""


def gate_table(checks: Sequence[GateCheck]) -> RenderableType:
    """All rules with their answers, failures first, and the answer of the gate as a whole."""
    table = empty_table()
    table.add_column("", no_wrap=True)
    table.add_column("metric", overflow="fold", min_width=12)
    table.add_column("rule", overflow="fold")
    table.add_column("found", overflow="fold")
    for check in sorted(checks, key=lambda check: check.passed):
        mark = Text("✓ pass", "green") if check.passed else Text("✗ FAIL", "bold red")
        table.add_row(
            mark, Text(broken_name(check.metric, 24)), Text(check.rule), Text(one_line(check.found))
        )
    sentences = [
        Text(f"{one_line(check.metric)}: {one_line(check.message)}")
        for check in checks
        if check.message and not check.passed
    ]
    return Group(table, Text(), *sentences, _answer(checks))


def _answer(checks: Sequence[GateCheck]) -> Text:
    failed = sum(not check.passed for check in checks)
    if failed:
        return Text(f"Gate failed: {failed:,} of {len(checks):,} rules.", style="bold red")
    return Text(f"Gate passed: all {len(checks):,} rules.", style="bold green")

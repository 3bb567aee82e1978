"""The progress bar of an evaluation: done, rate, time left, cost, and what has no score."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from ragstone.report.plaintext import visible
from ragstone.schema.cells import Cell
from ragstone.schema.usage import Usage

__all__ = ["ProgressBar"]


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.1f}/s", style="progress.data.speed")


class ProgressBar:
    """A bar on the error output; silent when `show` is False."""

    def __init__(self, total: int, done: int, *, show: bool) -> None:
        self._bar = Progress(
            TextColumn("Evaluating"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            _Rate(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
            disable=not show,
        )
        self._task = self._bar.add_task("", total=total, completed=done, note="")
        self._usage, self._unscored, self._failed = Usage(), 0, 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def advance(self, cells: Sequence[Cell]) -> None:
        """Count finished cells."""
        self._usage += Usage.total(cell.usage for cell in cells)
        self._unscored += sum(cell.result.status == "unscored" for cell in cells)
        self._failed += sum(cell.result.status == "failed" for cell in cells)
        self._bar.update(self._task, advance=len(cells), note=self._note())

    def say_stopped(self, why: str | None, run_id: str) -> None:
        """Print, below the bar, what of a stopped run is kept and how to go on."""
        task = self._bar.tasks[self._task]
        if not self._bar.disable:
            self._bar.console.print(
                f"Stopped{f': {visible(why)}' if why else ''}. "
                f"{task.completed:,.0f} of {task.total:,.0f} cells are kept. "
                f"Resume with: ragstone resume {run_id}",
                highlight=False,
                markup=False,
                soft_wrap=True,
            )

    def _note(self) -> str:
        parts = []
        if self._usage.calls:
            cost = self._usage.cost
            parts.append("cost unknown" if cost is None else f"${cost:,.4f}")
        if self._unscored:
            parts.append(f"{self._unscored:,} unscored")
        if self._failed:
            parts.append(f"{self._failed:,} failed")
        return ", ".join(parts)

"""`ragstone metrics`: the catalogue."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, fields

import click
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragstone.cli import options
from ragstone.cli.screen import note, show, show_json
from ragstone.errors import UsageError
from ragstone.metrics.base import Metric
from ragstone.metrics.catalogue import metric_class, names
from ragstone.metrics.signature import Needs, read_needs
from ragstone.prompt.prompt import Prompt
from ragstone.report.table import empty_table

__all__ = ["command"]

_HIDDEN = ("llm", "embeddings")


@click.command("metrics")
@click.argument("name", required=False)
@options.json_output
def command(name: str | None, as_json: bool) -> None:
    """List what can be measured, or explain one metric.

    A metric reads fields of the samples, and may need a judge (an LLM or the local one) or an
    embedder. Parameters follow the name: ragstone evaluate FILE -m factual_correctness:mode=recall
    """
    entries = [_entry(name)] if name else list(_entries())
    if as_json:
        show_json(entries[0] if name else entries)
    elif name:
        show(*_page(entries[0]))
    else:
        show(_table(entries), Text("\nAll about one: ragstone metrics NAME", style="dim"))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A metric as the catalogue shows it; `reads` None: what its own prompt names."""

    name: str
    about: str
    reads: tuple[str, ...] | None
    may_read: tuple[str, ...]
    tools: tuple[str, ...]
    low: float | None
    high: float | None
    higher_is_better: bool
    parameters: dict[str, str]
    details: str

    @property
    def range(self) -> str:
        """The range in words, with the better direction."""
        if self.low is None and self.high is None:
            return "labels"
        low, high = ("any" if end is None else f"{end:g}" for end in (self.low, self.high))
        return f"{low} to {high}, {'higher' if self.higher_is_better else 'lower'} is better"

    @property
    def inputs(self) -> str:
        """What it reads, in words."""
        if self.reads is None:
            return "what its prompt names"
        return ", ".join(self.reads) or "whatever fields there are"


def _entries() -> Iterator[_Entry]:
    """All metrics; one of another package that cannot be loaded is named on stderr."""
    for name in names():
        try:
            yield _entry(name)
        except UsageError as error:
            note(f"{name} is left out: {error}")


def _entry(name: str) -> _Entry:
    cls = metric_class(name)
    needs = _needs(cls)
    paragraphs = (inspect.getdoc(cls) or "").split("\n\n")
    unwrapped = [" ".join(paragraph.split()) for paragraph in paragraphs]
    return _Entry(
        name=name,
        about=unwrapped[0],
        reads=needs.required if needs else None,
        may_read=needs.optional if needs else (),
        tools=needs.tools if needs else ("judge",),
        low=cls.low,
        high=cls.high,
        higher_is_better=cls.higher_is_better,
        parameters=_parameters(cls),
        details="\n\n".join(unwrapped),
    )


def _needs(cls: type[Metric]) -> Needs | None:
    """What the class reads; None when that depends on the prompt of the instance."""
    return None if cls.needs is not Metric.needs else read_needs(cls.__name__, cls.measure)


def _parameters(cls: type[Metric]) -> dict[str, str]:
    shown = [f for f in fields(cls) if f.name not in _HIDDEN and not isinstance(f.default, Prompt)]
    return {f.name: repr(f.default) for f in shown}


def _table(entries: list[_Entry]) -> Table:
    table = empty_table()
    table.add_column("metric", no_wrap=True)
    table.add_column("what it says, and what it reads", overflow="fold", ratio=1)
    table.add_column("needs", no_wrap=True)
    for entry in entries:
        about = Text.assemble(entry.about, (f"\n{entry.inputs}", "dim"))
        table.add_row(Text(entry.name, style="bold"), about, "\n".join(entry.tools))
    return table


def _page(entry: _Entry) -> Iterator[RenderableType]:
    yield Text(entry.name, style="bold")
    yield Padding(Text(entry.details), (0, 0, 1, 2))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("reads", entry.inputs)
    if entry.may_read:
        grid.add_row("may read", ", ".join(entry.may_read))
    grid.add_row("needs", ", ".join(entry.tools) or "no judge and no embedder")
    grid.add_row("range", entry.range)
    for name, default in entry.parameters.items():
        grid.add_row("parameter", Text.assemble((name, "bold"), f" = {default}"))
    yield grid

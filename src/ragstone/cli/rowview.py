"""One row of a run for the terminal: the sample, and for each metric what made its score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragstone.report.numbers import score_text, seconds_text, usage_text, value_text
from ragstone.report.plaintext import one_line, visible
from ragstone.report.verdicts import SIGNS, Tone, tone
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.messages import conversation_text
from ragstone.schema.results import Evidence
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import MetricInfo
from ragstone.schema.samples import Sample

__all__ = ["row_parts"]

_FIRST = ("user_input", "response", "reference", "retrieved_contexts", "reference_contexts")
_STYLES: dict[Tone, str] = {"good": "green", "bad": "bold red", "open": "yellow", "plain": ""}


def row_parts(data: RunData, row: int) -> Iterator[RenderableType]:
    """The parts of the page of a row (from 0), from top to bottom."""
    sample = data.samples[row]
    name = f"  {one_line(sample.id)}" if sample.id is not None else ""
    yield Text.assemble((f"Row {row + 1:,} of {len(data.samples):,}{name}", "bold"))
    yield Text(f"of the run {one_line(data.run.name)}  {data.run.id}", style="dim")
    yield from _sample(sample)
    for info in data.run.metrics:
        yield Text()
        yield from _result(info, data.by_key.get(CellKey(row, info.key)))


def _sample(sample: Sample) -> Iterator[RenderableType]:
    values = sample.to_dict()
    values.pop("id", None)
    if not isinstance(sample.user_input, str) and sample.user_input is not None:
        values["user_input"] = conversation_text(sample.user_input)
    for field in dict.fromkeys([*(name for name in _FIRST if name in values), *values]):
        value = values[field]
        yield Text()
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            for number, part in enumerate(value, start=1):
                yield from _text(f"{field} {number}", part)
        else:
            yield from _text(field, value)


def _text(label: str, value: Any) -> Iterator[RenderableType]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    yield Text(one_line(label), style="cyan")
    yield Padding(Text(visible(text) or "(blank)"), (0, 0, 0, 2))


def _result(info: MetricInfo, cell: Cell | None) -> Iterator[RenderableType]:
    head = Text(f"{one_line(info.key)}  ", style="bold")
    if cell is None:
        yield head.append("not measured", style="yellow")
        return
    result = cell.result
    if result.status == "scored":
        yield head.append(one_line(value_text(result.value)))
    else:
        style = "red" if result.status == "failed" else "yellow"
        yield head.append(f"{result.status}: {one_line(result.code or '')}", style=style)
    if why := result.error or result.reason:
        yield Padding(Text(visible(why)), (0, 0, 0, 2))
    if result.evidence:
        yield Padding(_evidence(info, result.evidence), (0, 0, 0, 2))
    took = ", ".join((usage_text(cell.usage), seconds_text(cell.seconds)))
    yield Padding(Text(took, style="dim"), (0, 0, 0, 2))


def _evidence(info: MetricInfo, evidence: tuple[Evidence, ...]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in evidence:
        found = tone(one.verdict, higher_is_better=info.higher_is_better)
        verdict = Text(f"{SIGNS[found]} {one_line(one.verdict).replace('_', ' ')}", _STYLES[found])
        text = Text(visible(one.text))
        if one.reason:
            text.append(f"\n{visible(one.reason)}", style="dim italic")
        if places := _places(one):
            text.append(f"\n{places}", style="dim")
        table.add_row(verdict, text)
    return table


def _places(one: Evidence) -> str:
    """Where the evidence stands: its fields, and the number beside the verdict."""
    names = [
        span.field if span.index is None else f"{span.field} {span.index + 1}" for span in one.spans
    ]
    weight = [] if one.weight is None else [f"weight {score_text(one.weight)}"]
    return ", ".join([*dict.fromkeys(names), *weight])

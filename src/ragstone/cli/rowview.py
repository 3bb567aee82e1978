"""One row of a run for the terminal: the sample, and for each metric what made its score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ragstone.report.facts import took_text
from ragstone.report.numbers import score_text, value_text
from ragstone.report.plaintext import excerpt, one_line, visible
from ragstone.report.verdicts import LEGENDS, SIGNS, Tone, tone
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.messages import conversation_text
from ragstone.schema.results import Evidence, Span
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import MetricInfo
from ragstone.schema.samples import Sample

__all__ = ["row_parts"]

_QUOTE = 110  # two lines beside a verdict
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
        yield from _result(data, info, data.by_key.get(CellKey(row, info.key)))


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


def _result(data: RunData, info: MetricInfo, cell: Cell | None) -> Iterator[RenderableType]:
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
        table = _evidence(info, result.evidence, data.samples[cell.row])
        yield Padding(table, (0, 0, 0, 2))
        if legend := next((LEGENDS[name] for name in info.spec if name in LEGENDS), ""):
            yield Padding(Text(legend, style="dim"), (0, 0, 0, 2))
    if took := took_text(cell, data.run.judge):
        yield Padding(Text(took, style="dim"), (0, 0, 0, 2))


def _evidence(info: MetricInfo, evidence: tuple[Evidence, ...], sample: Sample) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in evidence:
        found = tone(one.verdict, higher_is_better=info.higher_is_better)
        verdict = Text(f"{SIGNS[found]} {one_line(one.verdict).replace('_', ' ')}", _STYLES[found])
        text = Text(visible(one.text))
        if one.reason:
            text.append(f"\n{visible(one.reason)}", style="dim italic")
        for line in (*_places(one, sample), _weight(one)):
            text.append(f"\n{line}" if line else "", style="dim")
        table.add_row(verdict, text)
    return table


def _places(one: Evidence, sample: Sample) -> Iterator[str]:
    """The places of the evidence: with the words that stand there, unless they were shown."""
    bare: list[str] = []
    for span in one.spans:
        name = span.field if span.index is None else f"{span.field} {span.index + 1}"
        whole = _field_text(sample, span)
        words = whole[span.start : span.end]
        if not words or words == whole or one_line(words) in one_line(one.text):
            bare.append(name)
        else:
            yield f"{name}: “{excerpt(words, _QUOTE)}”"
    if bare:
        yield ", ".join(dict.fromkeys(bare))


def _field_text(sample: Sample, span: Span) -> str:
    """The text that a span points into; empty where that is no plain text of the sample."""
    value = sample.value(span.field)
    if span.index is not None and isinstance(value, list) and span.index < len(value):
        value = value[span.index]
    value = getattr(value, "content", value)  # of a message
    return value if isinstance(value, str) else ""


def _weight(one: Evidence) -> str:
    return "" if one.weight is None else f"likeness {score_text(one.weight)}"

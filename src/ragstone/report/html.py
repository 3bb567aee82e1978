"""A run as one HTML file that needs nothing else: no server, no network, no script to be read."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ragstone.report import numbers
from ragstone.report.charts import Chart, chart
from ragstone.report.facts import (
    errors,
    judge_note,
    left_out,
    missing,
    needs_llm,
    overall_note,
    run_facts,
    state_text,
    time_text,
)
from ragstone.report.plaintext import sound, visible
from ragstone.report.rows import letter, row_views
from ragstone.report.worst import share_of_range
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import JudgeInfo
from ragstone.stats.runs import MetricLine, number, summarize_run

__all__ = ["html_report"]


@dataclass(frozen=True, slots=True)
class _Card:
    line: MetricLine
    name: Markup
    letter: str
    percent: float | None
    missing: list[str]
    chart: Chart | None


def html_report(data: RunData) -> str:
    """The run as a page: facts, one card a metric, and the rows with their evidence.

    Everything is inside; a content security policy forbids requests and foreign scripts. The
    script only sorts, searches and filters.
    """
    summary = summarize_run(data)
    script = _file("report.js")
    page = _environment().get_template("report.html.j2")
    text = page.render(
        run=data.run,
        facts=run_facts(data.run, data.usage, data.cells),
        state=state_text(data.run),
        cells=(len(data.cells), len(data.run.metrics) * data.run.n_rows),
        settings=_settings(data),
        overall=summary.overall,
        overall_note=overall_note(summary),
        cards=[_card(data, line, letter(index)) for index, line in enumerate(summary.lines)],
        judge_note=judge_note(data.run),
        left_out=left_out(data.run),
        needs_llm=needs_llm(summary),
        errors=errors(data.cells),
        rows=row_views(data),
        style=Markup(_file("report.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    return sound(text)


def _card(data: RunData, line: MetricLine, short: str) -> _Card:
    share = share_of_range(line.summary.mean if line.summary else None, line.info)
    percent = None if share is None else 100 * share
    name = _breakable(line.info.key)
    return _Card(line, name, short, percent, missing(line), _chart(data, line))


def _chart(data: RunData, line: MetricLine) -> Chart | None:
    values = (number(cell) for cell in data.column(line.info.key))
    return chart(line, [value for value in values if value is not None])


def _settings(data: RunData) -> dict[str, Mapping[str, Any]]:
    """What the run was made of, in groups of name and value."""
    run = data.run
    times = {"started": time_text(run.created), "finished": time_text(run.finished)}
    groups: dict[str, Mapping[str, Any]] = {
        "Run": {"id": run.id, **times, "state": run.state, "git": run.git or "–"},
        "Data": {"data set": run.dataset or "–", "rows": run.n_rows, "hash": run.data_hash},
        "Judge": _described(run.judge),
        "Embedder": _described(run.embedder),
        "Versions": run.versions,
        "Metadata": run.metadata,
    }
    return {name: group for name, group in groups.items() if group}


def _described(judge: JudgeInfo | None) -> Mapping[str, Any]:
    return {"name": judge.name, "kind": judge.kind, **judge.settings} if judge else {}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ragstone.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_finalize,
    )
    environment.filters["number_end"] = _number_end
    for name in ("count_text", "interval_text", "score_text", "share_text"):
        environment.filters[name] = getattr(numbers, name)
    return environment


def _finalize(value: Any) -> Any:
    """Keep control characters out of labels and attributes; texts of rows are Markup already."""
    return visible(value) if type(value) is str else value


def _breakable(name: str) -> Markup:
    """The key of a metric with places where a line may end."""
    text = Markup.escape(visible(name))
    for sign, ending in (("_", "_<wbr>"), ("=", "=<wbr>"), ("(", "<wbr>(")):
        text = text.replace(sign, Markup(ending))
    return text


def _number_end(end: float | None) -> str:
    """One end of the range of a metric."""
    return "open" if end is None or math.isinf(end) else f"{end:g}"


def _file(name: str) -> str:
    return files("ragstone.report").joinpath("templates", name).read_text(encoding="utf-8")

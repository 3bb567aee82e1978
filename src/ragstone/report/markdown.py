"""A run as Markdown, for the comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragstone.report.facts import (
    errors,
    judge_note,
    label_shares,
    left_out,
    missing,
    needs_llm,
    overall_note,
    run_facts,
    state_text,
)
from ragstone.report.numbers import interval_text, score_text, value_text
from ragstone.report.plaintext import excerpt, one_line
from ragstone.report.titles import row_title
from ragstone.report.worst import worst_rows
from ragstone.schema.cells import CellKey
from ragstone.schema.rundata import RunData
from ragstone.stats.runs import MetricLine, RunSummary, summarize_run

__all__ = ["code", "markdown_report"]

_WORST = 5


def markdown_report(data: RunData) -> str:
    """Facts, one line a metric, what needs attention, and the five rows that scored worst.

    Foreign text stands in code spans, so that it neither formats, nor links, nor notifies anyone.
    """
    summary = summarize_run(data)
    blocks = [
        f"### {code(data.run.name)}",
        "\n".join(_facts(data)),
        "\n".join(_table(summary)),
        "\n".join(_notes(data, summary)),
        "\n".join(_worst(data)),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def code(text: str) -> str:
    """Any text as a code span on one line."""
    line = one_line(text) or " "
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def _cell(text: str) -> str:
    """A code span inside a table."""
    return code(text).replace("|", "\\|")


def _facts(data: RunData) -> Iterator[str]:
    for label, text in run_facts(data.run, data.usage, data.cells).items():
        yield f"- {label}: {code(text)}"
    if state := state_text(data.run):
        yield f"- **State**: {code(state)}"


def _table(summary: RunSummary) -> Iterator[str]:
    yield "| metric | mean | 95 % interval | scored | no score |"
    yield "|---|---:|---|---:|---|"
    for line in summary.lines:
        yield _line(line)
    overall = summary.overall
    interval = interval_text(overall.interval)
    yield f"| **overall score** | **{score_text(overall.value)}** | {interval} | | |"


def _line(line: MetricLine) -> str:
    name = _cell(line.info.key) + ("" if line.info.higher_is_better else " ↓")
    scored = f"{line.n_scored:,}/{line.n_total:,}"
    scored = scored if line.n_scored == line.n_total else f"⚠️ **{scored}**"
    reasons = _cell(", ".join(missing(line))) if missing(line) else ""
    if line.shares:
        return f"| {name} | | {_cell(label_shares(line))} | {scored} | {reasons} |"
    mean = line.summary.mean if line.summary else None
    interval = line.summary.interval if line.summary else None
    return f"| {name} | {score_text(mean)} | {interval_text(interval)} | {scored} | {reasons} |"


def _notes(data: RunData, summary: RunSummary) -> Iterator[str]:
    lower = "↓ lower is better. " if any(not m.higher_is_better for m in data.run.metrics) else ""
    yield f"{lower}Overall: {code(overall_note(summary))}."
    local = judge_note(data.run)
    notes = [*([local] if local else []), *left_out(data.run)]
    if sentence := needs_llm(summary):
        notes.append(sentence)
    notes += [f"failed {count:,} × {text}" for text, count in errors(data.cells).items()][:5]
    if notes:
        yield ""
    yield from (f"- {code(note)}" for note in notes)


def _worst(data: RunData) -> Iterator[str]:
    rows = worst_rows(data)[:_WORST]
    if not rows:
        return
    yield "<details><summary>Rows that scored worst</summary>"
    yield ""
    yield "| row | question | scores |"
    yield "|---:|---|---|"
    for row in rows:
        question = excerpt(row_title(data.samples[row]), 100)
        yield f"| {row + 1} | {_cell(question)} | {_cell(_scores(data, row))} |"
    yield ""
    yield "</details>"


def _scores(data: RunData, row: int) -> str:
    cells = [data.by_key.get(CellKey(row, info.key)) for info in data.run.metrics]
    scored = [cell for cell in cells if cell and cell.result.status == "scored"]
    return ", ".join(f"{cell.metric} {value_text(cell.result.value)}" for cell in scored)

"""A run as JUnit XML, so that a CI server lists its cells like tests."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from ragstone.report.facts import missing
from ragstone.report.numbers import interval_text, score_text, value_text
from ragstone.report.plaintext import visible
from ragstone.schema.cells import Cell
from ragstone.schema.rundata import RunData
from ragstone.schema.samples import Sample
from ragstone.stats.runs import MetricLine, summarize_run

__all__ = ["junit_report"]


def junit_report(data: RunData) -> str:
    """One test suite a metric, one test case a row.

    A failed cell is a failure, a row without a score is skipped; a low score is neither, for
    thresholds belong to the gate. Value and mean stand in properties.
    """
    root = ET.Element("testsuites", name=visible(data.run.name))
    for line in summarize_run(data).lines:
        root.append(_suite(data, line))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(data: RunData, line: MetricLine) -> ET.Element:
    column = data.column(line.info.key)
    failed = sum(line.failed.values())
    suite = ET.Element(
        "testsuite",
        name=visible(line.info.key),
        tests=str(line.n_total),
        failures=str(failed),
        errors="0",
        skipped=str(line.n_total - line.n_scored - failed),
        time=f"{sum(cell.seconds for cell in column if cell):.3f}",
        timestamp=data.run.created.isoformat(timespec="seconds"),
    )
    _properties(suite, _facts(line))
    for row, cell in enumerate(column):
        suite.append(_case(row, data.samples[row], line.info.key, cell))
    return suite


def _facts(line: MetricLine) -> dict[str, str]:
    facts = {"scored": f"{line.n_scored}/{line.n_total}", "no score": ", ".join(missing(line))}
    if line.summary and line.summary.mean is not None:
        facts["mean"] = score_text(line.summary.mean)
        facts["95 % interval"] = interval_text(line.summary.interval)
    for label, share in line.shares.items():
        facts[f"share of {label}"] = score_text(share.mean)
    return {name: text for name, text in facts.items() if text}


def _case(row: int, sample: Sample, metric: str, cell: Cell | None) -> ET.Element:
    name = f"row {row + 1}" + (f" ({sample.id})" if sample.id else "")
    case = ET.Element("testcase", classname=visible(metric), name=visible(name))
    if cell is None:
        ET.SubElement(case, "skipped", message="not measured")
        return case
    case.set("time", f"{cell.seconds:.3f}")
    result = cell.result
    if result.status == "scored":
        _properties(case, {"value": value_text(result.value), "reason": result.reason or ""})
    elif result.status == "unscored":
        text = ": ".join(part for part in (result.code, result.reason) if part)
        ET.SubElement(case, "skipped", message=visible(text))
    else:
        failure = ET.SubElement(
            case,
            "failure",
            type=visible(result.code or "error"),
            message=visible(result.error or "no message"),
        )
        failure.text = visible(result.error or "no message")
    return case


def _properties(parent: ET.Element, facts: dict[str, str]) -> None:
    group = ET.SubElement(parent, "properties")
    for name, value in facts.items():
        ET.SubElement(group, "property", name=visible(name), value=visible(value))

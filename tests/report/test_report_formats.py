"""Every format on every kind of run."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from xml.etree import ElementTree as ET

import pytest

from ragstone.errors import UsageError
from ragstone.report.render import FORMATS, render_report
from ragstone.schema.rundata import RunData
from ragstone.schema.samples import SingleTurnSample


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_takes_every_run(edge: RunData, name: str) -> None:
    text = render_report(edge, name)
    assert text.encode()
    assert "\r" not in text
    assert not re.search(r"\bnan\b", text.partition("<body>")[2] or text, re.IGNORECASE)
    assert ">None<" not in text


def test_an_unknown_format_names_those_that_exist(mixed_run: RunData) -> None:
    with pytest.raises(UsageError, match=r"'pdf'.*html, md, junit, json, csv"):
        render_report(mixed_run, "pdf")


def test_json_is_complete(edge: RunData) -> None:
    report = json.loads(render_report(edge, "json"))
    assert (report["format"], report["version"]) == ("ragstone-report", 1)
    assert report["run"]["data_hash"] == edge.run.data_hash
    assert len(report["rows"]) == edge.run.n_rows
    for row, entry in enumerate(report["rows"]):
        assert entry["row"] == row + 1
        for info in edge.run.metrics:
            cell = edge.column(info.key)[row]
            written = entry["results"][info.key]
            assert (written is None) == (cell is None)
            if cell is not None:
                assert written["value"] == cell.result.value
                assert written["status"] == cell.result.status


def test_json_keeps_evidence_summary_and_hostile_text(
    mixed_run: RunData, hostile_run: RunData, hostile_text: str
) -> None:
    report = json.loads(render_report(mixed_run, "json"))
    span = report["rows"][0]["results"]["faithfulness"]["evidence"][1]["spans"][0]
    assert span == {"field": "retrieved_contexts", "start": 0, "end": 5, "index": 1}
    line = report["summary"]["metrics"][0]
    assert (line["n_scored"], line["n_total"], line["coverage"]) == (3, 5, 0.6)
    assert line["summary"]["mean"] == pytest.approx(1.75 / 3)
    assert line["failed"] == {"overloaded": 1}
    hostile = json.loads(render_report(hostile_run, "json"))
    assert hostile["rows"][0]["sample"]["response"] == hostile_text


def test_junit_counts_what_it_lists(edge: RunData) -> None:
    root = ET.fromstring(render_report(edge, "junit").partition("\n")[2])
    assert len(root) == len(edge.run.metrics)
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase")) == edge.run.n_rows
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))


def test_junit_tells_failures_from_missing_scores(mixed_run: RunData) -> None:
    suite = ET.fromstring(render_report(mixed_run, "junit").partition("\n")[2])[0]
    cases = suite.findall("testcase")
    assert cases[3].find("failure").attrib["message"] == "ProviderError: overloaded"  # type: ignore[union-attr]
    assert cases[2].find("skipped").attrib["message"] == "refusal: it declines"  # type: ignore[union-attr]
    assert cases[4].find("properties/property[@name='value']").attrib["value"] == "0.250"  # type: ignore[union-attr]


def test_csv_has_one_line_a_row_in_order(edge: RunData) -> None:
    rows = list(csv.DictReader(io.StringIO(render_report(edge, "csv"), newline="")))
    assert [row["row"] for row in rows] == [str(n + 1) for n in range(edge.run.n_rows)]


def test_csv_says_why_a_score_is_missing(mixed_run: RunData) -> None:
    rows = list(csv.DictReader(io.StringIO(render_report(mixed_run, "csv"), newline="")))
    assert [row["faithfulness"] for row in rows] == ["0.5", "1.0", "", "", "0.25"]
    assert rows[2]["faithfulness status"] == "unscored"
    assert rows[2]["faithfulness cause"] == "refusal"
    assert rows[3]["faithfulness cause"] == "ProviderError: overloaded"
    assert rows[4]["harm status"] == "not measured"
    assert rows[0]["topic"] == "limits"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_csv_starts_no_formula(mixed_run: RunData, text: str) -> None:
    sample = SingleTurnSample(user_input=text, response="a\r\nb", retrieved_contexts=["c", "d"])
    run = dataclasses.replace(mixed_run, samples=[sample] * 5)
    row = next(csv.DictReader(io.StringIO(render_report(run, "csv"), newline="")))
    assert row["user_input"] == f"'{text}"
    assert row["response"] == "a\nb"
    assert json.loads(row["retrieved_contexts"]) == ["c", "d"]


def test_markdown_shows_means_coverage_and_reasons(mixed_run: RunData) -> None:
    text = render_report(mixed_run, "md")
    assert "| `faithfulness` | 0.583 |" in text
    assert "⚠️ **3/5** | `1 refusal, 1 failed: overloaded` |" in text
    assert "`harm` ↓" in text
    assert "`dry 40 %, formal 40 %, casual 20 %`" in text
    assert text.count("needs an LLM judge") == 1
    assert "ragstone resume run-1" in text
    assert "`context_recall left out: the data lack reference`" in text


def test_markdown_keeps_foreign_text_in_code_spans(hostile_run: RunData) -> None:
    text = render_report(hostile_run, "md")
    for line in text.splitlines():
        outside = line
        while "``" in outside:
            before, _, rest = outside.partition("``")
            _inside, _, after = rest.partition("``")
            outside = before + after
        assert "<script" not in outside
        assert "@everyone" not in outside
    table = [line for line in text.splitlines() if line.startswith("| ``")]
    assert all(line.replace("\\|", "").count("|") == 6 for line in table)

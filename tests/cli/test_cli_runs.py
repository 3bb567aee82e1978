"""The commands that read runs: runs, show, report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_rows import write_rows


@pytest.fixture
def measured(ragstone, answers: Path) -> None:
    ragstone("evaluate", str(answers), "-m", "exact_match,string_presence", "--name", "first")


def test_without_runs_the_way_to_begin_is_named(ragstone) -> None:
    answer = ragstone("runs")
    assert (answer.code, answer.out) == (0, "")
    assert "ragstone demo" in answer.err
    assert ragstone("runs", "--json").json == []


@pytest.mark.usefixtures("measured")
def test_runs_are_listed_newest_first(ragstone, tmp_path: Path) -> None:
    other = write_rows(tmp_path / "other.jsonl", wrong=4)
    ragstone("evaluate", str(other), "-m", "exact_match", "--name", "second")
    answer = ragstone("runs")
    assert answer.out.index("second") < answer.out.index("first")
    assert "answers.jsonl" in answer.out
    assert "8 rows" in answer.out
    assert "0.750  string_presence" in answer.out
    assert [run["name"] for run in ragstone("runs", "--json", "--limit", "1").json] == ["second"]


@pytest.mark.usefixtures("measured")
def test_a_run_is_shown_by_name_id_prefix_or_latest(ragstone) -> None:
    run_id = ragstone("runs", "--json").json[0]["id"]
    pages = {ragstone("show", *ref).out for ref in (["first"], [run_id], [run_id[:6]], [])}
    assert len(pages) == 1
    assert "exact_match" in pages.pop()
    shown = ragstone("show", "--json").json
    assert shown["run"]["id"] == run_id
    assert [line["n_scored"] for line in shown["summary"]["lines"]] == [8, 8]


@pytest.mark.usefixtures("measured")
def test_a_row_is_shown_with_its_evidence(ragstone) -> None:
    answer = ragstone("show", "first", "--row", "1")
    assert "Row 1 of 8  q0" in answer.out
    assert "What is 0 + 0?" in answer.out
    assert "✓ present" in answer.out
    assert ragstone("show", "first", "--row", "q0").out == answer.out
    wrong = ragstone("show", "first", "--row", "8")
    assert "the reference does not stand in the response" in wrong.out
    plain = ragstone("show", "first", "--row", "q7", "--json").json
    assert plain["row"] == 8
    assert [cell["result"]["value"] for cell in plain["cells"]] == [0.0, 0.0]


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("row", ["0", "9", "-1", "x", "²"])
def test_a_row_that_does_not_exist_is_misuse(ragstone, row: str) -> None:
    answer = ragstone("show", "first", f"--row={row}")
    assert answer.code == 2
    assert "from 1 to 8" in answer.err


def test_hostile_text_stays_text(ragstone, tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "odd.jsonl", wrong=0, n=1, note="[bold red]x[/] \x1b[31mred \u202e"
    )
    ragstone("evaluate", str(path), "-m", "exact_match", "--name", "\x1b[31m[link]")
    for answer in (ragstone("runs"), ragstone("show"), ragstone("show", "--row", "1")):
        assert answer.code == 0
        assert "\x1b" not in answer.out
        assert "\u202e" not in answer.out
    assert "[bold red]x[/]" in answer.out


@pytest.mark.usefixtures("measured")
def test_reports_go_to_a_file_or_to_stdout(
    ragstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_id = ragstone("runs", "--json").json[0]["id"]
    answer = ragstone("report")
    assert answer.err == f"Wrote ragstone-{run_id}.html\n"
    assert "<html" in (tmp_path / f"ragstone-{run_id}.html").read_text(encoding="utf-8")
    assert json.loads(ragstone("report", "first", "--format", "json", "-o", "-").out)["rows"]
    ragstone("report", "first", "-o", "out.md")
    assert "exact_match" in (tmp_path / "out.md").read_text(encoding="utf-8")
    ragstone("report", "first", "--format", "junit", "-o", "junit.txt")
    assert (tmp_path / "junit.txt").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.usefixtures("measured")
def test_a_report_that_cannot_be_written_is_misuse(ragstone, tmp_path: Path) -> None:
    for name, sentence in (("no/x.html", "there is no folder"), ("x.pdf", "no report format")):
        answer = ragstone("report", "first", "-o", str(tmp_path / name))
        assert answer.code == 2
        assert sentence in answer.err
    assert "is a folder" in ragstone("report", "first", "-o", str(tmp_path)).err


@pytest.mark.usefixtures("measured")
def test_an_unknown_run_is_misuse_with_the_near_ones(ragstone) -> None:
    answer = ragstone("show", "frist")
    assert answer.code == 2
    assert "did you mean" in answer.err
    assert "first" in answer.err

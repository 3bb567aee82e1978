from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ragstone.api import defaults


def test_a_file_is_measured_and_kept(ragstone, answers: Path) -> None:
    answer = ragstone("evaluate", str(answers), "-m", "exact_match,string_presence", "--name", "a")
    assert answer.code == 0
    assert "exact_match" in answer.out
    assert "0.750" in answer.out
    assert "8/8" in answer.out
    (run,) = ragstone("runs", "--json").json
    assert run["name"] == "a"
    assert run["state"] == "done"
    assert run["means"] == {"exact_match": 0.75, "string_presence": 0.75}
    assert run["n_scored"] == {"exact_match": 8, "string_presence": 8}
    assert run["id"] in answer.out


def test_only_the_first_rows(ragstone, answers: Path) -> None:
    answer = ragstone("evaluate", str(answers), "-m", "exact_match", "--limit", "3")
    assert "3/3" in answer.out


def test_columns_are_named(ragstone, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["said", "wanted"], ["4", "4"], ["5", "4"]])
    both = ("--column", "response=said", "--column", "reference=wanted")
    answer = ragstone("evaluate", str(path), "-m", "exact_match", *both)
    assert answer.code == 0
    assert "0.500" in answer.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--column", "response"], "write FIELD=COLUMN"),
        (["--column", "response=nope"], "the column 'nope', which does not exist"),
        (["--column", "respnse=answer"], "'respnse', which is no field"),
        (["--column", "response=a", "--column", "response=b"], "two columns for the field"),
        (["-m", "faithfullness"], "did you mean 'faithfulness'"),
        (["-m", "exact_match:cases=no"], "has no parameter 'cases'"),
        (["-m", "exact_match,exact_match"], "two metrics have the key 'exact_match'"),
        (["-m", "tool_call_f1"], "needs the field 'reference_tool_calls'"),
        (["-m", "exact_match", "--group-by", "topics"], "no column 'topics' to group by"),
        (["-m", "exact_match", "--budget", ""], "put it in single quotes"),
        (["-m", "exact_match", "--budget", "five"], "the budget 'five' cannot be read"),
        (["-m", "exact_match", "--budget", "$0"], "must be above 0"),
        (["-m", "exact_match", "--report", "x.pdf"], "no report format has the ending"),
        (["-m", "exact_match", "--report", "no/such/x.html"], "there is no folder"),
        (["-m", "exact_match", "--database", "mysql://x"], "no store can be opened"),
    ],
)
def test_mistakes_are_one_sentence(ragstone, answers: Path, arguments, sentence: str) -> None:
    answer = ragstone("evaluate", str(answers), *arguments)
    assert answer.code == 2
    assert answer.err.startswith("Error: ")
    assert sentence in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


def test_a_missing_file_is_named_with_its_neighbors(ragstone, answers: Path) -> None:
    answer = ragstone("evaluate", str(answers.with_name("answer.jsonl")))
    assert answer.code == 2
    assert f"did you mean {str(answers)!r}?" in answer.err
    assert "is a folder" in ragstone("evaluate", str(answers.parent)).err


def test_the_report_is_written(ragstone, answers: Path, tmp_path: Path) -> None:
    for name in ("r.html", "r.md", "r.json", "r.csv", "r.xml"):
        path = tmp_path / name
        answer = ragstone("evaluate", str(answers), "-m", "exact_match", "--report", str(path))
        assert answer.code == 0
        assert "exact_match" in path.read_text(encoding="utf-8")


def test_the_report_never_takes_the_place_of_the_data(ragstone, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text('[{"response": "a", "reference": "a"}]')
    done = ragstone("evaluate", str(path), "-m", "exact_match", "--report", str(path))
    assert done.code == 2
    assert "would overwrite the data" in done.err
    assert path.read_text() == '[{"response": "a", "reference": "a"}]'


def test_what_an_error_holds_cannot_steer_the_terminal(ragstone, tmp_path: Path) -> None:
    done = ragstone("evaluate", str(tmp_path / "\x1b]0;owned\x07.csv"))
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "\x07" not in done.err


def test_groups_are_named_in_the_table(ragstone, answers: Path) -> None:
    answer = ragstone("evaluate", str(answers), "-m", "exact_match", "--group-by", "topic")
    assert "clustered by topic" in answer.out


def test_a_warning_is_a_note(process, tmp_path: Path) -> None:
    path = tmp_path / "misspelt.jsonl"
    path.write_text('{"response": "4", "reference": "4", "refrence": "4"}\n', encoding="utf-8")
    done = process("evaluate", str(path), "-m", "exact_match")
    assert done.returncode == 0
    assert done.stderr.startswith("Note: the column 'refrence' fills no field")


def test_the_demo_needs_the_local_extra(ragstone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragstone.cli.demo.local_installed", lambda: False)
    answer = ragstone("demo", "--report", "demo.html")
    assert answer.code == 2
    assert answer.err == "Error: the demo needs the extra 'local': pip install 'ragstone[local]'\n"


@pytest.mark.slow
@pytest.mark.skipif(not defaults.local_installed(), reason="needs the extra local")
def test_the_demo(ragstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = ragstone("demo")
    assert answer.code == 0
    for name in ("faithfulness", "context_recall", "factual_correctness", "semantic_similarity"):
        assert name in answer.out
    assert "ragstone-demo.html" in answer.err
    assert "<html" in (tmp_path / "ragstone-demo.html").read_text(encoding="utf-8")

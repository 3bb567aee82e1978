"""What a newcomer types and reads: columns, metrics with parameters, names, plain streams."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from cli_rows import write_rows

from ragstone.cli.naming import metric_list, split_names
from ragstone.cli.program import program
from ragstone.cli.wording import spoken
from ragstone.errors import MissingField, UsageError


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    path = tmp_path / "fragen.csv"
    path.write_text("Frage,Antwort\nWas?,Das.\n", encoding="utf-8")
    return str(path)


def test_unknown_columns_are_named_with_the_option_that_maps_them(ragstone, foreign: str) -> None:
    answer = ragstone("evaluate", foreign)
    assert answer.code == 2
    found = "Columns found: Frage, Antwort. Name them: --column user_input=Frage"
    assert found in answer.err
    answer = ragstone("evaluate", foreign, "-m", "exact_match")
    assert "Name them: --column reference=Frage" in answer.err


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("choose one with column_map={'a': 'b'}, or not", "choose one with --column a=b, or not"),
        ("column_map maps 'a' twice", "--column maps 'a' twice"),
        ("no fit; pass metrics=[...]", "no fit; name some with -m"),
        ("set KEY or pass api_key=...", "set KEY"),
        ("DiscreteMetric needs a name: DiscreteMetric(name='...')", "DiscreteMetric needs a name"),
        ("a plain sentence", "a plain sentence"),
    ],
)
def test_messages_are_spoken_as_options(message: str, said: str) -> None:
    assert spoken(message) == said


def test_a_missing_field_of_the_library_is_spoken_too() -> None:
    assert "--column reference=your_column" in spoken(str(MissingField("m", "reference")))


def test_parameters_hold_commas_and_lists() -> None:
    text = 'aspect_critic:name=p,definition="Is it a, b, or c?",strictness=3'
    tone = "discrete_metric:name=t,prompt=Is {response} so?,allowed_values=yes|no"
    json = 'discrete_metric:name=j,prompt=Is {response} so?,allowed_values=["a","b"]'
    assert split_names([f"{text},exact_match,{tone}", json]) == [text, "exact_match", tone, json]
    aspect, listed, from_json = metric_list([text, tone, json]) or ()
    assert aspect.definition == "Is it a, b, or c?"
    assert aspect.strictness == 3
    assert listed.allowed_values == ("yes", "no")
    assert from_json.allowed_values == ("a", "b")


def test_a_bar_in_a_plain_text_stays() -> None:
    (metric,) = metric_list(["aspect_critic:name=p,definition=yes|no"]) or ()
    assert metric.definition == "yes|no"


@pytest.mark.parametrize("text", ["aspect_critic", "aspect_critic:name=x", "discrete_metric"])
def test_own_metrics_are_shown_with_an_example(text: str) -> None:
    name = text.partition(":")[0]
    with pytest.raises(UsageError, match=rf"-m '{name}:name=\w+,\w+=") as raised:
        metric_list([text])
    example = re.search(r"-m '(.*)'$", str(raised.value))
    assert example is not None
    assert metric_list([example[1]])


def test_only_parameters_that_a_text_can_set_are_listed(ragstone, answers: Path) -> None:
    answer = ragstone("evaluate", str(answers), "-m", "faithfulness:mode=x")
    assert answer.err.endswith("it has: name, strict\n")
    answer = ragstone("metrics", "bogus")
    assert answer.err == "Error: no metric is called 'bogus'. `ragstone metrics` lists all.\n"


def test_a_name_that_is_used_twice_means_the_newest(ragstone, answers: Path, tmp_path) -> None:
    first = ragstone("evaluate", str(answers), "-m", "exact_match", "--name", "before")
    assert "too" not in first.err
    second = ragstone("evaluate", str(answers), "-m", "exact_match", "--name", "before")
    assert "1 older run has the name 'before' too" in second.err
    newest = ragstone("runs", "--json").json[0]["id"]
    other = write_rows(tmp_path / "other.jsonl", wrong=0)
    ragstone("evaluate", str(other), "-m", "exact_match", "--name", "after")
    answer = ragstone("compare", "before", "after", "--json")
    assert answer.json["a"]["id"] == newest
    assert f"2 runs are named 'before'; this is the newest, {newest}" in answer.err


def test_the_lowest_row_is_hinted_at(ragstone, answers: Path) -> None:
    answer = ragstone("evaluate", str(answers), "-m", "exact_match", "--name", "a")
    assert answer.err.count("--row 7") == 1
    shown = ragstone("show", "a")
    assert "lowest rows" in shown.out
    assert "--row 7" in shown.err


def test_a_row_scored_in_one_run_only_is_named(ragstone, tmp_path: Path) -> None:
    write_rows(tmp_path / "b.jsonl", wrong=0)
    gap = write_rows(tmp_path / "a.jsonl", wrong=0).read_text(encoding="utf-8").splitlines()
    gap[6] = gap[6].replace('"reference": "12"', '"reference": " "')
    (tmp_path / "a.jsonl").write_text("\n".join(gap), encoding="utf-8")
    for name in "ab":
        path = str(tmp_path / f"{name}.jsonl")
        ragstone("evaluate", path, "-m", "string_presence", "--name", name)
    answer = ragstone("compare", "a", "b")
    line = "string_presence: 1 row scored in B only (no_reference in A): row 7 = 1.000."
    assert line in answer.out
    assert "The means are over the matched rows that both runs have scored." in answer.out
    (metric,) = ragstone("compare", "a", "b", "--json").json["metrics"]
    assert [one["row"] for one in metric["scored_in_one_run_only"]] == [7]


def test_a_stream_that_lacks_a_sign_gets_a_plainer_one(process, ragstone, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", wrong=1, note="ü 日本 🙂")
    ragstone("evaluate", str(path), "-m", "exact_match,string_presence", "--name", "a")
    env = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    gate = process("gate", "a", "--min", "exact_match=1", env=env, encoding="cp1252")
    assert gate.returncode == 1
    assert "x FAIL" in gate.stdout
    row = process("show", "a", "--row", "1", env=env, encoding="cp1252")
    assert row.returncode == 0
    assert "ü ?? ?" in row.stdout
    assert "+ present" in row.stdout
    assert "Traceback" not in gate.stderr + row.stderr
    as_json = process("show", "a", "--row", "1", "--json", env=env, encoding="utf-8")
    assert "ü 日本 🙂" in as_json.stdout


def test_an_ascii_stream_breaks_nothing(process, ragstone, answers: Path) -> None:
    ragstone("evaluate", str(answers), "-m", "exact_match", "--name", "a")
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for command in (["gate", "a", "--min", "exact_match=0"], ["show", "a", "--row", "1"], ["runs"]):
        done = process(*command, env=env, encoding="utf-8")
        assert (done.returncode, done.stderr) == (0, "")


def test_the_program_is_named_as_it_can_be_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "/bin/ragstone")
    assert program() == "ragstone"
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(sys, "argv", [".venv/my bin/ragstone", "demo"])
    assert program() == "'.venv/my bin/ragstone'"
    monkeypatch.setattr(sys, "argv", ["ragstone/__main__.py", "demo"])
    assert program() == f"{sys.executable} -m ragstone"

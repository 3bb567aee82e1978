from __future__ import annotations

from pathlib import Path

import pytest
from cli_rows import write_rows


@pytest.fixture
def two_runs(ragstone, tmp_path: Path) -> None:
    """`before` with half of 40 answers right, `after` with all of them."""
    for name, wrong in (("before", 20), ("after", 0)):
        path = write_rows(tmp_path / f"{name}.jsonl", wrong=wrong, n=40)
        ragstone("evaluate", str(path), "-m", "exact_match,string_presence", "--name", name)


@pytest.mark.usefixtures("two_runs")
def test_compare_says_better_and_worse(ragstone) -> None:
    answer = ragstone("compare", "before", "after")
    assert answer.code == 0
    assert "▲ better" in answer.out
    assert "40 rows matched by id." in answer.out
    assert "Changed: response in 20." in answer.out
    back = ragstone("compare", "after", "before", "-m", "exact_match", "--json").json
    (line,) = back["metrics"]
    assert line["verdict"] == "worse"
    assert line["result"]["difference"] == -0.5
    assert line["result"]["n"] == 40


@pytest.mark.usefixtures("two_runs")
def test_compare_names_what_no_evidence_means(ragstone, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "same.jsonl", wrong=20, n=40)
    ragstone("evaluate", str(path), "-m", "exact_match", "--name", "same")
    answer = ragstone("compare", "before", "same")
    assert "no evidence of a change" in answer.out
    assert "The data of the matched rows are the same in both runs." in answer.out
    assert "string_presence left out: only in before." in answer.out


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["before", "before"], "are the same run"),
        (["before", "nowhere"], "there is no run 'nowhere'"),
        (["before", "after", "-m", "bleu"], "no metric 'bleu' in both runs"),
        (["before", "after", "--alpha", "1"], "alpha"),
        (["before"], "RUN_B"),
    ],
)
def test_compare_refuses_what_makes_no_sense(ragstone, arguments, sentence: str) -> None:
    answer = ragstone("compare", *arguments)
    assert answer.code == 2
    assert sentence in answer.err


@pytest.mark.usefixtures("two_runs")
def test_a_gate_that_passes_exits_0(ragstone) -> None:
    rules = ("--min", "exact_match=0.9", "--against", "before", "--no-worse-than", "0.02")
    answer = ragstone("gate", "after", *rules)
    assert answer.code == 0
    assert "Gate passed: all 5 rules." in answer.out
    assert "100 % of rows scored" in answer.out


@pytest.mark.usefixtures("two_runs")
def test_a_gate_that_fails_exits_1(ragstone) -> None:
    answer = ragstone("gate", "before", "--min", "exact_match=0.9")
    assert answer.code == 1
    assert "✗ FAIL" in answer.out
    assert "0.500 [" in answer.out
    answer = ragstone("gate", "before", "--against", "after", "--no-worse-than", "exact_match=0.02")
    assert answer.code == 1
    assert "loss 0.500" in answer.out
    found = ragstone("gate", "before", "--max", "exact_match=0.1", "--json")
    assert found.code == 1
    assert found.json["passed"] is False
    assert found.json["rules"][0]["value"] == 0.5


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "a gate needs a rule"),
        (["--coverage", "0.9"], "a gate needs a rule"),
        (["--min", "exact_match"], "write METRIC=LIMIT"),
        (["--min", "=0.5"], "write METRIC=LIMIT"),
        (["--min", "exact_match=high"], "'high' is no number"),
        (["--min", "exact_match=80"], "a number from 0 to 1"),
        (["--min", "exact_mach=0.8"], "did you mean 'exact_match'"),
        (["--no-worse-than", "0.02"], "need each other"),
        (["--against", "after"], "need each other"),
        (["--against", "before", "--no-worse-than", "0.1"], "are the same run"),
        (["--against", "after", "--no-worse-than", "-1"], "margin"),
        (["--min", "exact_match=0.5", "--coverage", "90"], "coverage is 90"),
    ],
)
def test_a_gate_that_is_misused_exits_2(ragstone, arguments, sentence: str) -> None:
    answer = ragstone("gate", "before", *arguments)
    assert answer.code == 2
    assert sentence in answer.err
    assert answer.out == ""


def test_rows_without_a_score_fail_a_gate(ragstone, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "gaps.jsonl", wrong=0, n=10)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[0] = lines[0].replace('"reference": "0"', '"reference": " "')
    path.write_text("\n".join(lines), encoding="utf-8")
    ragstone("evaluate", str(path), "-m", "string_presence", "--name", "gaps")
    answer = ragstone("gate", "gaps", "--min", "string_presence=0.5")
    assert answer.code == 1
    assert "rows without a score: 1 no_reference" in answer.out
    assert ragstone("gate", "gaps", "--min", "string_presence=0.5", "--coverage", "0.9").code == 0


@pytest.mark.usefixtures("two_runs")
def test_exit_codes_of_a_real_process(process) -> None:
    codes = [
        process("gate", "after", *rule).returncode
        for rule in (["--min", "exact_match=1"], ["--max", "exact_match=0.5"], [])
    ]
    assert codes == [0, 1, 2]

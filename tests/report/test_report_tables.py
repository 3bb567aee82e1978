"""The tables of the terminal."""

from __future__ import annotations

import dataclasses
import io

from rich.console import Console, RenderableType

from ragstone.report.comparison import comparison_table
from ragstone.report.gate import GateCheck, gate_table
from ragstone.report.lowest import lowest_table
from ragstone.report.plaintext import broken_name, excerpt
from ragstone.report.render import render_report
from ragstone.report.table import metric_table
from ragstone.schema.rundata import RunData
from ragstone.schema.runs import JudgeInfo
from ragstone.stats.paired import compare_metrics
from ragstone.stats.pairs import PairedData
from ragstone.stats.runs import summarize_run


def printed(what: RenderableType, width: int = 80) -> str:
    file = io.StringIO()
    Console(file=file, width=width, no_color=True).print(what)
    return file.getvalue()


def test_every_run_fits_in_80_columns(edge: RunData) -> None:
    text = printed(metric_table(summarize_run(edge), edge.run, edge.cells))
    assert max(map(len, text.splitlines())) <= 80
    assert "nan" not in text.lower()
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_metric_is_one_line_with_its_coverage_and_reasons(mixed_run: RunData) -> None:
    text = printed(metric_table(summarize_run(mixed_run), mixed_run.run, mixed_run.cells), 120)
    lines: dict[str, list[str]] = {}
    for line in filter(str.strip, text.splitlines()):
        lines.setdefault(line.split()[0], line.split())
    assert lines["faithfulness"][1] == "0.583"
    assert lines["faithfulness"][4:] == ["3/5", "1", "refusal,", "1", "failed:", "overloaded"]
    assert lines["harm"][1] == "↓"
    assert lines["critic"][1:3] == ["no", "score"]
    assert lines["formal"][1:3] == ["40", "%"]
    assert text.count("critic needs an LLM judge: pass --judge gpt-4o-mini") == 1
    assert "context_recall left out: the data lack reference" in text
    assert "failed 1 × ProviderError: overloaded" in text
    assert "Stopped: the budget of 9 calls is spent. Resume with: ragstone resume run-1" in text
    assert "24 judge calls" not in text
    assert "19 judge calls, 570 + 171 tokens, $0.019" in text


def test_without_cells_the_table_still_stands(mixed_run: RunData) -> None:
    assert "no calls to a provider" in printed(
        metric_table(summarize_run(mixed_run), mixed_run.run)
    )


def test_a_comparison_shows_verdict_and_grounds() -> None:
    a = [0.5, 0.6, 0.4, 0.5, 0.7, 0.3, 0.5, 0.6, 0.5, 0.4]
    better = [value + 0.2 + 0.01 * n for n, value in enumerate(a)]
    found = compare_metrics({"faithfulness": PairedData(a, better), "empty": PairedData([], [])})
    text = printed(comparison_table(found, name_a="main", name_b="[bold]branch"))
    assert max(map(len, text.splitlines())) <= 80
    assert "▲ better" in text
    assert "+0.245" in text
    assert "· no evidence" in text
    assert "[bold]branch" in text
    assert "hedges d_z" in text


def test_a_gate_lists_failures_first() -> None:
    checks = [
        GateCheck("faithfulness", "at least 0.8", True, "0.833"),
        GateCheck("recall", "no worse than 0.02", False, "loss 0.1", "Worse by more than 0.02."),
    ]
    text = printed(gate_table(checks))
    assert text.index("✗ FAIL") < text.index("✓ pass")
    assert "recall: Worse by more than 0.02." in text
    assert "Gate failed: 1 of 2 rules." in text
    assert "Gate passed: all 1 rules." in printed(gate_table(checks[:1]))


def test_a_local_judge_is_named_for_what_it_is_once(mixed_run: RunData) -> None:
    local = dataclasses.replace(mixed_run.run, judge=JudgeInfo("local", "local", {}))
    text = printed(metric_table(summarize_run(mixed_run), local, mixed_run.cells))
    assert text.count("it misses some contradictions") == 1
    assert "Usage     no calls to a provider" in text
    page = render_report(dataclasses.replace(mixed_run, run=local), "html")
    assert page.count("it misses some contradictions") == 1
    assert "misses some" not in printed(metric_table(summarize_run(mixed_run), mixed_run.run))


def test_the_lowest_rows_are_counted_from_one(mixed_run: RunData) -> None:
    table = lowest_table(mixed_run)
    assert table is not None
    lines = [line.split()[:2] for line in printed(table).splitlines()[1:]]
    assert lines == [["1", "0.250"], ["5", "0.250"]]


def test_names_are_broken_between_their_words() -> None:
    assert broken_name("context_precision", 17) == "context_precision"
    assert broken_name("context_precision", 16) == "context_\nprecision"
    assert (
        broken_name("factual_correctness(mode=recall)", 19) == "factual_correctness\n(mode=recall)"
    )
    assert broken_name("", 5) == ""


def test_an_excerpt_ends_behind_a_word() -> None:
    assert excerpt("one two three four", 12) == "one two…"
    assert excerpt("one two three four", 13) == "one two three…"
    assert excerpt("x" * 20, 5) == "xxxxx…"
    assert excerpt("short", 5) == "short"


def test_a_comparison_of_long_names_keeps_words_whole() -> None:
    pair = PairedData([0.5, 0.25] * 4, [0.75, 0.125] * 4)
    names = ("factual_correctness", "context_utilization", "faithfulness")
    found = compare_metrics(dict.fromkeys(names, pair))
    verdicts = dict.fromkeys(names, "not comparable")
    text = printed(comparison_table(found, verdicts=verdicts))
    assert max(map(len, text.splitlines())) <= 80
    assert "! not comparable" in text
    starts = {line.split()[0] for line in text.splitlines() if line.strip()}
    assert {"factual_", "correctness", "context_", "utilization", "faithfulness"} <= starts

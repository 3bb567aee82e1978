from __future__ import annotations

import math
import re

import pytest
from compared_runs import info, labels_info, run_data, sample

from ragstone.engine.gate import Rule, check_gate
from ragstone.errors import UsageError

GOOD = [0.9, 0.8, 1.0, 0.9] * 10


def at_least(limit: float, metric: str = "faithfulness") -> Rule:
    return Rule("min", limit, metric)


def test_mean_above_the_limit_passes_and_below_fails() -> None:
    run = run_data({"faithfulness": GOOD})
    answer = check_gate(run, [at_least(0.9)])
    assert answer.passed
    assert [f.kind for f in answer.findings] == ["min", "coverage"]
    level = answer.findings[0]
    assert level.value == pytest.approx(0.9)
    assert level.interval is not None
    assert level.interval.low < 0.9 < level.interval.high
    assert not check_gate(run, [at_least(0.91)]).passed


def test_maximum() -> None:
    slow = [info("seconds", higher_is_better=False, low=0.0, high=None)]
    run = run_data({"seconds": [1.0, 3.0]}, infos=slow)
    assert check_gate(run, [Rule("max", 2.0, "seconds")]).passed
    assert not check_gate(run, [Rule("max", 1.9, "seconds")]).passed


def test_coverage_below_the_floor_fails_whatever_the_mean() -> None:
    """Nine failures and one perfect score are no perfect score."""
    run = run_data({"faithfulness": [1.0] + [None] * 9})
    answer = check_gate(run, [at_least(0.5)])
    level, coverage = answer.findings
    assert level.passed
    assert not coverage.passed
    assert (coverage.n_scored, coverage.n_total) == (1, 10)
    assert "9 refusal" in coverage.message
    assert not answer.passed


def test_the_floor_of_coverage_can_be_lowered() -> None:
    run = run_data({"faithfulness": [1.0] * 19 + [None]})
    assert not check_gate(run, [at_least(0.5)]).passed
    assert check_gate(run, [at_least(0.5)], coverage=0.95).passed
    assert not check_gate(run, [at_least(0.5)], coverage=0.96).passed


def test_cells_that_were_not_measured_lower_the_coverage() -> None:
    run = run_data({"faithfulness": [1.0, 1.0]})
    stopped = type(run)(run.run, run.samples, run.cells[:1])
    answer = check_gate(stopped, [at_least(0.5)])
    assert not answer.passed
    assert "1 not measured" in answer.findings[-1].message


def test_without_any_score_nothing_passes_even_with_no_floor() -> None:
    run = run_data({"faithfulness": [None, None]})
    for rule in (at_least(0.0), Rule("max", 1.0, "faithfulness")):
        answer = check_gate(run, [rule], coverage=0.0)
        assert not answer.passed
        assert answer.findings[0].message == "no row has a score"


def test_the_share_of_a_label() -> None:
    run = run_data({"accuracy": ["pass", "pass", "fail", "pass"]}, infos=[labels_info()])
    assert check_gate(run, [at_least(0.75, "accuracy.pass")]).passed
    assert not check_gate(run, [at_least(0.76, "accuracy.pass")]).passed
    assert check_gate(run, [Rule("max", 0.25, "accuracy.fail")]).passed


def test_a_label_that_no_row_was_given_has_the_share_0() -> None:
    infos = [labels_info("tone", ("kind", "rude"))]
    run = run_data({"tone": ["kind"] * 4}, infos=infos)
    answer = check_gate(run, [Rule("max", 0.01, "tone.rude")])
    assert answer.passed
    assert answer.findings[0].value == 0.0


def test_a_label_that_does_not_exist_is_misuse() -> None:
    run = run_data({"accuracy": ["pass", "fail"]}, infos=[labels_info()])
    with pytest.raises(UsageError, match=r"no label 'pas'; it has: fail, pass"):
        check_gate(run, [Rule("max", 0.1, "accuracy.pas")])
    with pytest.raises(UsageError, match=r"gives labels \(fail, pass\).*accuracy\.fail=0\.9"):
        check_gate(run, [at_least(0.9, "accuracy")])


def test_a_metric_with_numbers_has_no_label() -> None:
    with pytest.raises(UsageError, match="gives numbers, so it has no label 'pass'"):
        check_gate(run_data({"bleu": [0.5]}), [at_least(0.5, "bleu.pass")])


def test_a_key_with_dots_is_a_metric() -> None:
    key = "factual_correctness(beta=0.5)"
    assert check_gate(run_data({key: [0.5]}), [at_least(0.5, key)]).passed


def test_an_unknown_metric_is_named_with_its_neighbors() -> None:
    run = run_data({"faithfulness": [1.0], "bleu": [0.5]})
    with pytest.raises(UsageError, match=r"did you mean 'faithfulness'\?\); it has: .*bleu"):
        check_gate(run, [at_least(0.5, "faithfullness")])


@pytest.mark.parametrize("limit", [80.0, -0.1, math.nan, math.inf])
def test_limits_out_of_reach_are_misuse(limit: float) -> None:
    with pytest.raises(UsageError, match="a number from 0 to 1"):
        check_gate(run_data({"faithfulness": [1.0]}), [at_least(limit)])


@pytest.mark.parametrize("coverage", [-0.1, 1.1, math.nan])
def test_impossible_coverage_is_misuse(coverage: float) -> None:
    with pytest.raises(UsageError, match="coverage"):
        check_gate(run_data({"faithfulness": [1.0]}), [at_least(0.5)], coverage=coverage)


def test_questions_that_make_no_sense_are_misuse() -> None:
    run = run_data({"faithfulness": [1.0]})
    with pytest.raises(UsageError, match="a gate needs a rule"):
        check_gate(run, [])
    with pytest.raises(UsageError, match="need each other"):
        check_gate(run, [at_least(0.5)], baseline=run)
    with pytest.raises(UsageError, match="need each other"):
        check_gate(run, [Rule("no worse", 0.02)])


def test_an_unchanged_run_is_no_worse_than_its_baseline() -> None:
    run = run_data({"faithfulness": GOOD, "bleu": GOOD})
    answer = check_gate(run, [Rule("no worse", 0.02)], baseline=run)
    assert answer.passed
    assert [f.metric for f in answer.findings if f.kind == "no worse"] == ["faithfulness", "bleu"]


def test_a_loss_above_the_margin_fails() -> None:
    before = run_data({"faithfulness": [0.8, 0.9] * 20})
    after = run_data({"faithfulness": [0.6, 0.7, 0.6, 0.8] * 10})
    answer = check_gate(after, [Rule("no worse", 0.02, "faithfulness")], baseline=before)
    loss = answer.findings[0]
    assert not loss.passed
    assert loss.value == pytest.approx(0.175)
    assert "Worse by more than 0.02" in loss.message


def test_doubt_fails() -> None:
    before, after = run_data({"bleu": [0.5, 0.9, 0.3]}), run_data({"bleu": [0.4, 0.95, 0.35]})
    answer = check_gate(after, [Rule("no worse", 0.02)], baseline=before)
    assert not answer.passed
    (doubt, _) = answer.findings
    assert "on 3 matched rows the loss could be up to 0.146, more than 0.02; " in doubt.message
    assert "more rows would tell" in doubt.message
    assert doubt.bound is not None
    assert doubt.bound > 0.02


def test_a_bound_just_above_the_limit_is_shown_with_enough_digits() -> None:
    changes = [0.04, -0.04] * 200
    before = run_data({"bleu": [0.5] * 400})
    after = run_data({"bleu": [0.5 + change for change in changes]})
    bound = check_gate(after, [Rule("no worse", 0.5)], baseline=before).findings[0].bound
    assert bound is not None
    limit = bound - 1e-5
    (doubt, _) = check_gate(after, [Rule("no worse", limit)], baseline=before).findings
    assert not doubt.passed
    shown = re.search(r"up to ([0-9.]+), more than", doubt.message)
    assert shown is not None
    assert float(shown[1]) > limit


def test_no_row_worse_needs_no_bound() -> None:
    before, after = run_data({"bleu": [0.5, 0.9, 0.3]}), run_data({"bleu": [0.5, 0.95, 0.3]})
    (finding, _) = check_gate(after, [Rule("no worse", 0.02)], baseline=before).findings
    assert finding.passed
    assert finding.none_worse
    assert finding.bound is None


def test_refusals_name_the_coverage_that_accepts_them() -> None:
    data = run_data({"bleu": [0.5] * 9 + [None]})
    coverage = check_gate(data, [Rule("min", 0.1, "bleu")]).findings[-1]
    assert "1 refusal (refusing may be right; --coverage 0.9 accepts it)" in coverage.message
    assert check_gate(data, [Rule("min", 0.1, "bleu")], coverage=0.9).passed


def test_another_judge_than_the_baseline_fails() -> None:
    before = run_data({"faithfulness": GOOD})
    after = run_data({"faithfulness": GOOD}, judge="local")
    answer = check_gate(after, [Rule("no worse", 0.02)], baseline=before)
    assert not answer.passed
    assert "the judges differ" in answer.findings[0].message


def test_dropping_the_hard_rows_fails() -> None:
    before = run_data({"bleu": [0.9] * 8 + [0.1] * 2})
    after = run_data({"bleu": [0.9] * 8})
    answer = check_gate(after, [Rule("no worse", 0.02)], baseline=before)
    assert not answer.passed
    assert "only 8 of the 10 rows that the baseline scored" in answer.findings[0].message
    assert check_gate(after, [Rule("no worse", 0.02)], baseline=before, coverage=0.8).passed


def test_labels_and_lone_metrics_are_noted_when_no_metric_is_named() -> None:
    infos = [labels_info()]
    before = run_data({"bleu": GOOD, "accuracy": ["pass"] * 40, "old": GOOD}, infos=infos)
    after = run_data({"bleu": GOOD, "accuracy": ["pass"] * 40, "new": GOOD}, infos=infos)
    answer = check_gate(after, [Rule("no worse", 0.02)], baseline=before)
    assert [f.metric for f in answer.findings if f.kind == "no worse"] == ["bleu"]
    text = " ".join(answer.notes)
    assert "accuracy gives labels" in text
    assert "old was measured only in the baseline" in text
    assert "new was not measured in the baseline" in text


def test_the_share_of_a_label_against_a_baseline() -> None:
    infos = [labels_info()]
    before = run_data({"accuracy": ["pass"] * 40}, infos=infos)
    after = run_data({"accuracy": ["fail"] * 20 + ["pass"] * 20}, infos=infos)
    rule = Rule("no worse", 0.02, "accuracy.pass")
    assert not check_gate(after, [rule], baseline=before).passed
    assert check_gate(before, [rule], baseline=before).passed


def test_a_metric_that_the_baseline_lacks_is_misuse() -> None:
    before, after = run_data({"old": GOOD}), run_data({"bleu": GOOD})
    with pytest.raises(UsageError, match="has not measured 'bleu'"):
        check_gate(after, [Rule("no worse", 0.02, "bleu")], baseline=before)
    with pytest.raises(UsageError, match="no metric with numbers"):
        check_gate(after, [Rule("no worse", 0.02)], baseline=before)


def test_a_baseline_that_asked_other_questions_passes_nothing() -> None:
    ours = [sample(n, id=str(n)) for n in range(40)]
    theirs = [sample(n, id=str(n), user_input=f"another {n}") for n in range(40)]
    data = run_data({"faithfulness": GOOD}, samples=ours)
    baseline = run_data({"faithfulness": GOOD}, samples=theirs)
    answer = check_gate(data, [Rule("no worse", 0.02, None)], baseline=baseline)
    assert not answer.passed
    assert "40 matched rows ask another question" in answer.findings[0].message

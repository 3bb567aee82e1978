from __future__ import annotations

from dataclasses import replace

import pytest
from compared_runs import PROMPT, info, labels_info, run_data, sample

from ragstone.engine.compare import compare_runs
from ragstone.engine.matching import changed_fields, match_rows
from ragstone.errors import UsageError
from ragstone.schema.messages import AIMessage, HumanMessage
from ragstone.schema.runs import JudgeInfo
from ragstone.schema.samples import MultiTurnSample


def test_rows_with_ids_are_matched_by_id_in_any_order() -> None:
    a = [sample(row, id=f"q{row}") for row in range(4)]
    b = [a[2], a[0], sample(9, id="q9")]
    matching = match_rows(a, b)
    assert matching.pairs == ((0, 1), (2, 0))
    assert (matching.by, matching.only_a, matching.only_b) == ("id", 2, 1)


def test_one_row_without_id_makes_the_inputs_count() -> None:
    a = [sample(0, id="x"), sample(1)]
    b = [sample(1, id="x"), sample(0, id="y", response="another answer")]
    matching = match_rows(a, b)
    assert matching.pairs == ((0, 1), (1, 0))
    assert matching.by == "inputs"


def test_duplicates_are_matched_in_their_order() -> None:
    a = [sample(0), sample(1), sample(0)]
    b = [sample(0), sample(0), sample(0)]
    matching = match_rows(a, b)
    assert matching.pairs == ((0, 0), (2, 1))
    assert (matching.only_a, matching.only_b) == (1, 1)


def test_conversations_are_matched_by_what_the_human_said() -> None:
    def talk(answer: str) -> MultiTurnSample:
        return MultiTurnSample(user_input=[HumanMessage(content="hi"), AIMessage(content=answer)])

    assert match_rows([talk("hello")], [talk("good day")]).pairs == ((0, 0),)


def test_fields_that_changed_are_counted() -> None:
    a = [sample(0), sample(1, metadata={"topic": "x"})]
    b = [sample(0, response="new"), sample(1, response="new", metadata={"topic": "y"})]
    assert changed_fields(a, b, match_rows(a, b)) == {"response": 2, "topic": 1}


def test_only_rows_scored_in_both_count() -> None:
    a = run_data({"faithfulness": [0.5, None, 0.5, 0.5]})
    b = run_data({"faithfulness": [0.7, 0.9, None, 0.7]})
    (line,) = compare_runs(a, b).metrics
    assert line.result.n == 2
    assert line.result.difference == pytest.approx(0.2)


def test_a_clear_gain_is_better_and_a_clear_loss_worse() -> None:
    low, high = [0.1, 0.2, 0.3] * 8, [0.6, 0.7, 0.9] * 8
    columns = {"faithfulness": low, "seconds": low}
    infos = [info("seconds", higher_is_better=False, low=0.0, high=None)]
    a = run_data(columns, infos=infos)
    b = run_data({"faithfulness": high, "seconds": high}, infos=infos)
    verdicts = {line.name: line.verdict for line in compare_runs(a, b).metrics}
    assert verdicts == {"faithfulness": "better", "seconds": "worse"}


def test_equal_runs_give_no_evidence() -> None:
    a = run_data({"faithfulness": [0.1, 0.5, 0.9]})
    (line,) = compare_runs(a, a).metrics
    assert (line.verdict, line.result.difference) == ("no evidence", 0.0)


def test_p_values_are_adjusted_over_the_metrics() -> None:
    low, high = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    single = compare_runs(run_data({"bleu": low}), run_data({"bleu": high}))
    double = compare_runs(
        run_data({"bleu": low, "rouge": low}), run_data({"bleu": high, "rouge": high})
    )
    (alone,) = single.metrics
    assert alone.result.p_adjusted == alone.result.p_value
    for line in double.metrics:
        assert line.result.p_adjusted == pytest.approx(2 * (alone.result.p_value or 0))


def test_another_judge_makes_judged_metrics_not_comparable() -> None:
    low, high = [0.1, 0.2, 0.3] * 8, [0.6, 0.7, 0.9] * 8
    a = run_data({"faithfulness": low, "exact_match": low})
    b = run_data({"faithfulness": high, "exact_match": high}, judge="local")
    found = {line.name: line for line in compare_runs(a, b).metrics}
    assert found["faithfulness"].verdict == "not comparable"
    assert "openai/gpt-4o-mini and local" in (found["faithfulness"].obstacle or "")
    assert found["exact_match"].verdict == "better"
    # the judged metric costs the other no power
    assert found["exact_match"].result.p_adjusted == found["exact_match"].result.p_value


def test_a_judge_with_other_settings_is_another_judge() -> None:
    a = run_data({"faithfulness": [0.1, 0.2]})
    changed = JudgeInfo("llm", "openai/gpt-4o-mini", {"temperature": 1.0})
    b = replace(a, run=replace(a.run, judge=changed))
    (line,) = compare_runs(a, b).metrics
    assert "temperature 0.0 and 1.0" in (line.obstacle or "")


def test_other_prompts_and_parameters_are_obstacles() -> None:
    a = run_data({"faithfulness": [0.1, 0.2], "aspect": [1.0, 0.0]})
    b = run_data(
        {"faithfulness": [0.1, 0.2], "aspect": [1.0, 0.0]},
        infos=[
            info("faithfulness", prompts=({**PROMPT, "hash": "other"},)),
            info("aspect", spec={"aspect": {"definition": "other"}}),
        ],
    )
    obstacles = [line.obstacle for line in compare_runs(a, b).metrics]
    assert obstacles == ["its prompts differ", "its parameters differ"]


def test_another_embedder_hinders_only_metrics_that_embed() -> None:
    columns = {"semantic_similarity": [0.1, 0.2], "exact_match": [1.0, 0.0]}
    a = run_data(columns, embedder=JudgeInfo("local", "small"))
    b = run_data(columns, embedder=JudgeInfo("local", "large"))
    found = {line.name: line.obstacle for line in compare_runs(a, b).metrics}
    assert found["exact_match"] is None
    assert found["semantic_similarity"] == "the embedders differ: small and large"


def test_labels_are_compared_as_shares_without_direction() -> None:
    infos = [labels_info("accuracy", ("good", "fair", "bad"))]
    a = run_data({"accuracy": ["bad"] * 20 + ["fair"] * 4}, infos=infos)
    b = run_data({"accuracy": ["good"] * 20 + ["fair"] * 4}, infos=infos)
    verdicts = {line.name: line.verdict for line in compare_runs(a, b).metrics}
    assert verdicts == {
        "accuracy.bad": "less often",
        "accuracy.fair": "no evidence",
        "accuracy.good": "more often",
    }


def test_of_two_labels_one_is_tested() -> None:
    infos = [labels_info()]
    a = run_data({"accuracy": ["fail", "pass", "fail"]}, infos=infos)
    b = run_data({"accuracy": ["pass", "pass", None]}, infos=infos)
    (line,) = compare_runs(a, b).metrics
    assert line.name == "accuracy.pass"
    assert (line.result.n, line.result.mean_a, line.result.mean_b) == (2, 0.5, 1.0)


def test_free_text_is_left_out() -> None:
    texts = [f"text {n}" for n in range(30)]
    a = run_data({"summary": texts, "bleu": [0.5] * 30})
    comparison = compare_runs(a, a)
    assert [line.name for line in comparison.metrics] == ["bleu"]
    assert comparison.left_out == {"summary": "it has 30 different labels"}


def test_groups_of_the_matched_rows_are_kept_together() -> None:
    topics = [sample(row, metadata={"topic": f"t{row // 4}"}) for row in range(8)]
    a = run_data({"bleu": [0.1] * 8}, samples=topics, group_by="topic")
    b = run_data({"bleu": [0.2, 0.3] * 4}, samples=topics, group_by="topic")
    (line,) = compare_runs(a, b).metrics
    assert "by group" in (line.result.test or "")


def test_warnings_name_what_makes_a_verdict_doubtful() -> None:
    rows = [sample(row, id=str(row)) for row in range(3)]
    other = [*rows[:2], sample(7, id="2")]
    a = run_data({"bleu": [0.1, 0.2, 0.3]}, samples=rows, name="before")
    b = run_data({"bleu": [0.1, 0.2, 0.3]}, samples=other, name="after", state="stopped")
    text = " ".join(compare_runs(a, b).warnings)
    assert "'after' is not finished" in text
    assert "1 matched row (by id) differs in 'user_input'" in text


def test_metrics_of_one_run_are_named() -> None:
    a = run_data({"bleu": [0.1], "rouge": [0.1]}, name="before")
    b = run_data({"bleu": [0.1], "chrf": [0.1]}, name="after")
    assert compare_runs(a, b).left_out == {"rouge": "only in before", "chrf": "only in after"}


def test_metrics_can_be_chosen() -> None:
    a = run_data({"bleu": [0.1], "rouge": [0.1], "chrf": [0.2]})
    found = compare_runs(a, a, metrics=["rouge", "bleu"])
    assert [line.name for line in found.metrics] == ["rouge", "bleu"]
    with pytest.raises(UsageError, match=r"'blue' in both runs; they share: bleu, rouge, chrf"):
        compare_runs(a, a, metrics=["blue"])


def test_runs_that_share_nothing_are_refused() -> None:
    a = run_data({"bleu": [0.1]}, name="before")
    b = run_data({"bleu": [0.1]}, samples=[sample(99)], name="after")
    with pytest.raises(UsageError, match=r"share no row \(matched by inputs\)"):
        compare_runs(a, b)
    with pytest.raises(UsageError, match="no metric in common"):
        compare_runs(a, run_data({"rouge": [0.1]}))


def test_a_row_that_one_run_alone_scored_is_named() -> None:
    before, after = run_data({"bleu": [0.5, None, 0.3]}), run_data({"bleu": [None, 0.0, 0.3]})
    (one,) = compare_runs(before, after).metrics
    assert one.result.n == 1
    assert [(s.side, s.row, s.value, s.cause) for s in one.lone] == [
        ("a", 0, 0.5, "refusal"),
        ("b", 1, 0.0, "refusal"),
    ]

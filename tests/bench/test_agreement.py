"""The measurement as a whole, with a judge that answers from a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rows import FACTS, claims, write

from ragstone.bench.agreement.peers import peers
from ragstone.bench.agreement.running import Choice, measure_agreement
from ragstone.bench.agreement.scores import ScoreFile
from ragstone.errors import ProviderError, Unscored, UsageError
from ragstone.testing import FakeEmbedder, FakeJudge
from ragstone.tools.toolbox import Toolbox
from scripted import useful_by_text


def verdicts(says) -> dict:
    """A script: the verdict and probability of each item by what `says` of it."""

    def reply(data) -> dict:
        return {"verdicts": [{"id": item.id, **says(item.text, data)} for item in data.items]}

    return {"claims/support": reply}


def truth(text: str, data) -> dict:
    right = any(text in context for context in data.contexts)
    return {"verdict": "supported" if right else "not_mentioned", "probability": 0.9 * right}


def measure(folder: Path, judge: FakeJudge, scores: Path | None = None, **choice):
    tools = Toolbox(judge, FakeEmbedder())
    found = measure_agreement(Choice(folder, **choice), "fake", lambda: tools, ScoreFile(scores))
    return {one.set: one for one in found}


def values(one) -> dict[str, float | None]:
    return {line.measure: line.judge.value for line in one.lines}


def test_a_judge_that_is_right_and_one_that_is_wrong(tmp_path: Path) -> None:
    write(tmp_path / "fm2.jsonl", claims())
    found = measure(tmp_path, FakeJudge(verdicts(truth)))["fm2"]
    assert values(found) == {"auroc": 1.0, "balanced_accuracy": 1.0, "f1": 1.0}
    assert (found.rows, found.scored, found.groups) == (12, 12, 6)

    def wrong(text: str, data) -> dict:
        right = truth(text, data)["verdict"] == "supported"
        return {"verdict": "contradicted" if right else "supported"}

    found = measure(tmp_path, FakeJudge(verdicts(wrong)))["fm2"]
    assert values(found) == {"auroc": 0.0, "balanced_accuracy": 0.0, "f1": 0.0}


def test_the_verdict_decides_the_balanced_accuracy_and_the_probability_the_order(
    tmp_path: Path,
) -> None:
    write(tmp_path / "wice.jsonl", claims())
    low = FakeJudge(verdicts(lambda t, d: truth(t, d) | {"verdict": "not_mentioned"}))
    found = measure(tmp_path, low)["wice"]
    assert values(found) == {"auroc": 1.0, "balanced_accuracy": 0.5, "f1": 0.0}
    balanced = found.lines[1]
    published = [peer.value for peer in balanced.peers]
    assert published == sorted(published, reverse=True)
    assert {peer.name for peer in balanced.peers} == {
        peer.name for peer in peers("factcheck_gpt", "balanced_accuracy")
    }
    assert ("AlignScore", 0.66) in {(peer.name, peer.value) for peer in balanced.peers}
    assert balanced.floor.value == 1.0  # statements that stand in their context share all words
    assert balanced.floor_threshold == 1.0
    assert found.lines[0].floor_threshold is None


def test_the_best_chunk_counts(tmp_path: Path) -> None:
    rows = [row | {"contexts": ["Other.", *row["contexts"]]} for row in claims()]
    write(tmp_path / "wice_oracle_chunks.jsonl", rows)
    judge = FakeJudge(verdicts(truth))
    assert values(measure(tmp_path, judge)["wice_oracle_chunks"])["auroc"] == 1.0
    assert len(judge.asked) == 2 * len(rows)


def test_relevance_is_asked_with_the_response_as_the_answer(tmp_path: Path) -> None:
    rows = [row | {"relevant": row["supported"]} for row in claims()]
    write(tmp_path / "factcheck_gpt.jsonl", rows)

    judge = FakeJudge({**verdicts(truth), "retrieval/usefulness": useful_by_text})
    found = measure(tmp_path, judge)
    assert values(found["factcheck_gpt_relevance"]) == {"auroc": 1.0, "balanced_accuracy": 1.0}
    assert list(measure(tmp_path, judge, sets=["factcheck_gpt"])) == ["factcheck_gpt"]


def test_summaries_are_split_by_origin_and_averaged_over_their_statements(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"qags_{part}-{n}",
            "contexts": [f"Text {n}. {FACTS[0]} {FACTS[1]}"],
            "response": f"{FACTS[0]} {FACTS[1] if n % 2 else FACTS[2]}",
            "consistent": n % 2,
            "consistency": 1.0 if n % 2 else 0.4,
        }
        for part in ("cnndm", "xsum")
        for n in range(6)
    ]
    write(tmp_path / "qags.jsonl", rows)

    def split(data) -> dict:
        assert data.atomicity == "low"
        return {"refuses": False, "claims": [p + "." for p in data.text.split(".") if p.strip()]}

    def stripped(text: str, data) -> dict:
        return {"verdict": truth(text.strip(), data)["verdict"]}

    judge = FakeJudge({"claims/extract": split, **verdicts(stripped)})
    found = measure(tmp_path, judge, sets=["qags"])
    assert list(found) == ["qags_cnndm", "qags_xsum"]
    assert values(found["qags_xsum"]) == {
        "auroc": 1.0,
        "pearson": pytest.approx(1.0),
        "spearman": pytest.approx(1.0),
    }
    silent = FakeJudge({"claims/extract": {"refuses": False, "claims": []}})
    none = measure(tmp_path, silent, sets=["qags_xsum"])["qags_xsum"]
    assert (none.scored, none.unscored) == (0, {"no_claims": 6})
    assert set(values(none).values()) == {None}


def test_rankings_of_questions_that_have_both_labels(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "Q1?", "contexts": ["yes", "no"], "context_relevance": [1, 0]},
        {"id": "b", "question": "Q2?", "contexts": ["no", "yes"], "context_relevance": [1, 0]},
        {"id": "c", "question": "Q3?", "contexts": ["no", "yes"], "context_relevance": [0, 0]},
    ]
    write(tmp_path / "trecqa.jsonl", rows)

    def useful(data) -> dict:
        assert data.answer == ""
        (item,) = data.items
        right = item.text == "yes"
        label = "useful" if right else "not_useful"
        return {"verdicts": [{"id": item.id, "verdict": label, "probability": float(right)}]}

    found = measure(tmp_path, FakeJudge({"retrieval/usefulness": useful}))["trecqa"]
    assert values(found) == {"map": 0.75, "balanced_accuracy": 0.5}
    assert found.rows == 2


def test_answers_against_references_and_graded_similarity(tmp_path: Path) -> None:
    answers = [
        {
            "id": f"e{n}",
            "question": f"Q{n}?",
            "response": "Paris" if n % 2 else "Rome",
            "references": ["paris", "Paris"],
            "correct": n % 2,
        }
        for n in range(6)
    ]
    write(tmp_path / "evouna_tq.jsonl", answers)
    grades = [
        {"id": f"s{n}", "response": "a b c d", "reference": text, "similarity_0to5": grade}
        for n, (text, grade) in enumerate([("a b c d", 5), ("a b c x", 3.5), ("w x y z", 0)])
    ]
    write(tmp_path / "sts_dev_2012_2014.jsonl", grades)

    def same(data) -> dict:
        right = data.response in data.references
        return {"verdict": "equivalent" if right else "different"}

    found = measure(tmp_path, FakeJudge({"answer/equivalence": same}))
    assert values(found["evouna_tq"]) == {"accuracy": 1.0, "balanced_accuracy": 1.0, "auroc": 1.0}
    assert values(found["sts_dev_2012_2014"])["spearman"] == pytest.approx(1.0)


def test_rows_without_a_score_are_counted_and_in_no_number(tmp_path: Path) -> None:
    write(tmp_path / "fm2.jsonl", claims())
    script = [Unscored("needs_llm", ""), *(verdicts(truth)["claims/support"] for _ in range(1))]
    refused = 0

    def reply(data):
        nonlocal refused
        refused += 1
        return script[0] if refused <= 3 else script[1](data)

    found = measure(tmp_path, FakeJudge({"claims/support": reply}))["fm2"]
    assert (found.rows, found.scored, found.unscored) == (12, 9, {"needs_llm": 3})
    assert values(found)["auroc"] == 1.0


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    write(tmp_path / "fm2.jsonl", claims())
    scores = tmp_path / "scores.jsonl"
    judge = FakeJudge(verdicts(truth))
    part = measure(tmp_path, judge, scores, rows=5)["fm2"]
    assert (part.rows, len(judge.asked)) == (5, 5)
    whole = measure(tmp_path, judge, scores)["fm2"]
    assert len(judge.asked) == 12

    def no_judge() -> Toolbox:
        raise AssertionError("a judge was loaded")

    again = measure_agreement(Choice(tmp_path), "fake", no_judge, ScoreFile(scores))
    assert next(iter(again)).lines == whole.lines


def test_a_row_whose_text_has_changed_is_asked_again(tmp_path: Path) -> None:
    rows = claims()
    write(tmp_path / "fm2.jsonl", rows)
    scores, judge = tmp_path / "scores.jsonl", FakeJudge(verdicts(truth))
    measure(tmp_path, judge, scores)
    rows[3]["response"] = "Something else."
    write(tmp_path / "fm2.jsonl", rows)
    measure(tmp_path, judge, scores)
    assert len(judge.asked) == 13


def test_a_line_that_was_cut_off_is_dropped_and_asked_again(tmp_path: Path) -> None:
    write(tmp_path / "fm2.jsonl", claims())
    scores, judge = tmp_path / "scores.jsonl", FakeJudge(verdicts(truth))
    whole = measure(tmp_path, judge, scores)["fm2"]
    content = scores.read_bytes()
    scores.write_bytes(content[:-20])
    again = measure(tmp_path, judge, scores)["fm2"]
    assert len(judge.asked) == 13
    assert again.lines == whole.lines
    assert len([json.loads(line) for line in scores.read_text().splitlines()]) == 13


def test_a_file_of_another_judge_or_of_something_else_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "fm2.jsonl", claims())
    scores = tmp_path / "scores.jsonl"
    measure(tmp_path, FakeJudge(verdicts(truth)), scores, rows=3)

    class Other(FakeJudge):
        def describe(self):
            return super().describe().__class__("fake", "other")

    with pytest.raises(UsageError, match="scores of another judge"):
        measure(tmp_path, Other(verdicts(truth)), scores)
    scores.write_text('{"who": {"name"\n{"what": 1}\n')
    with pytest.raises(UsageError, match="line 1: no line of a file of scores"):
        ScoreFile(scores)
    scores.write_text('{"set": "fm2", "id": "1", "text": "x", "said": [], "seconds": 1}\n')
    with pytest.raises(UsageError, match="does not say who judged"):
        ScoreFile(scores)


def test_a_judge_that_cannot_be_reached_ends_it_and_what_was_answered_is_kept(
    tmp_path: Path,
) -> None:
    write(tmp_path / "fm2.jsonl", claims())
    scores, asked = tmp_path / "scores.jsonl", 0

    def reply(data):
        nonlocal asked
        asked += 1
        if asked == 5:
            return ProviderError("no answer", provider="x", kind="connection")
        return verdicts(truth)["claims/support"](data)

    with pytest.raises(ProviderError, match="no answer"):
        measure(tmp_path, FakeJudge({"claims/support": reply}), scores)
    assert len(scores.read_text().splitlines()) == 1 + 4


def test_held_out_groups_only_and_chunks_have_the_groups_of_their_claims(tmp_path: Path) -> None:
    rows = [
        row | {"question": None, "wiki_title": f"T{n // 2}"} for n, row in enumerate(claims(60))
    ]
    write(tmp_path / "wice.jsonl", [row | {"id": f"w-{row['id']}"} for row in rows])
    chunks = [row | {"id": f"w-oracle-{row['id']}", "wiki_title": None} for row in rows]
    write(tmp_path / "wice_oracle_chunks.jsonl", chunks)
    found = measure(tmp_path, FakeJudge(verdicts(truth)), held_out=True)
    assert 0 < found["wice"].rows < 60
    assert found["wice"].rows == found["wice_oracle_chunks"].rows
    assert found["wice"].groups == found["wice_oracle_chunks"].groups


def test_a_folder_without_known_sets_and_names_that_are_unknown(tmp_path: Path) -> None:
    write(tmp_path / "mine.jsonl", claims())
    judge = FakeJudge(verdicts(truth))
    with pytest.raises(UsageError, match="there is no labelled set of the name wice"):
        measure(tmp_path, judge)
    with pytest.raises(UsageError, match="no labelled set 'mine'; known are wice"):
        measure(tmp_path, judge, sets=["mine"])
    with pytest.raises(UsageError, match="no labelled set of the name fm2"):
        measure(tmp_path, judge, sets=["fm2"])

"""A number on rows that the judge has learned from is marked; rows decide, not names."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources

import pytest

import ragstone.bench.agreement as room
from ragstone.bench.agreement import seen as module
from ragstone.bench.agreement.groups import hashed
from ragstone.bench.agreement.measuring import agreement
from ragstone.bench.agreement.rows import Row
from ragstone.bench.agreement.seen import Learned, Seen, learned, seen
from ragstone.bench.agreement.sets import SETS
from ragstone.bench.agreement.tables import markdown, seen_by, set_name
from ragstone.schema.runs import JudgeInfo

FM2 = next(one for one in SETS if one.name == "fm2")
LOCAL, LLM = JudgeInfo("local", "local"), JudgeInfo("llm", "some-model")


def row(group: str) -> Row:
    return Row(group, group, "", ("c",), "r", (), {"supported": (1.0,)})


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that learned from A and B, and coefficients that learned from C."""
    groups = {"rest": [hashed("A"), hashed("B")], "held_out": [hashed("C")]}
    plain = {part: frozenset(f"{one:012x}" for one in ones) for part, ones in groups.items()}
    parts = (
        Learned("local", ("fm2",), "weights", "rest"),
        Learned("local", ("fm2",), "coefficients", "held_out"),
        Learned("small-llm", ("fm2",), "weighing", "held_out"),
    )
    monkeypatch.setattr(module, "_groups", lambda: {"fm2": plain})
    monkeypatch.setattr(module, "learned", lambda: parts)


@pytest.mark.usefixtures("shipped")
def test_rows_of_learned_groups_are_counted_by_what_learned_from_them() -> None:
    rows = [row("A"), row("A"), row("C"), row("D")]
    assert seen(FM2, LOCAL, rows) == (Seen("weights", 2), Seen("coefficients", 1))
    assert seen(FM2, LOCAL, [row("C")]) == (Seen("coefficients", 1),)


@pytest.mark.usefixtures("shipped")
def test_other_rows_other_sets_and_other_judges_are_unseen() -> None:
    assert seen(FM2, LOCAL, [row("D"), row("E")]) == ()
    assert seen(replace(FM2, name="other"), LOCAL, [row("A")]) == ()
    assert seen(FM2, LLM, [row("A")]) == ()
    assert seen(FM2, None, [row("A")]) == ()


@pytest.mark.usefixtures("shipped")
def test_a_judge_is_known_by_its_kind_or_by_its_name_up_to_a_slash() -> None:
    assert seen(FM2, JudgeInfo("llm", "small-llm/model.gguf"), [row("C")]) == (Seen("weighing", 1),)


def test_the_mark_stands_at_the_set_and_says_why() -> None:
    plain = agreement(FM2, [], [])
    marked = agreement(FM2, [], [], (Seen("weights", 1200),))
    assert (set_name(plain), seen_by([plain])) == ("fm2", [])
    assert set_name(marked) == "fm2 (seen)"
    page = markdown([marked], None)
    assert "| fm2 (seen) |" in page
    assert "- fm2, seen: 1,200 rows by weights" in page


def test_what_ships_is_about_known_sets_and_has_their_groups() -> None:
    files = {one.name: one.file for one in SETS}
    text = resources.files(room).joinpath("seen_groups.json").read_text(encoding="utf-8")
    groups = json.loads(text)
    for part in learned():
        for name in part.sets:
            assert groups[files[name]][part.part]
    for file, parts in groups.items():
        assert file in files.values()
        held_out, rest = set(parts["held_out"]), set(parts["rest"])
        if file != "wice_oracle_chunks":  # these have the parts of their pages
            assert all(int(one, 16) % 5 == 0 for one in held_out)
            assert all(int(one, 16) % 5 for one in rest)

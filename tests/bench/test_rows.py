"""Reading labelled sets: what is wrong is named by file, line and field."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from rows import claims, write

from ragstone.bench.agreement.groups import group_of, is_held_out
from ragstone.bench.agreement.rows import Label, by_hash, find_set, read_set
from ragstone.errors import BadDataset

SUPPORTED = Label("supported")


def read(path: Path, *labels: Label):
    return read_set(path, ("contexts", "response"), labels or (SUPPORTED,))


@pytest.mark.parametrize("place", ["a.jsonl.gz", "dev/a.jsonl.gz", "a.jsonl", "dev/a.jsonl"])
def test_a_set_is_found_in_four_places(tmp_path: Path, place: str) -> None:
    path = write(tmp_path / place, claims(4))
    assert find_set(tmp_path, "a") == path
    assert [row.labels["supported"] for row in read(path)] == [(0.0,), (1.0,)] * 2
    assert find_set(tmp_path, "b") is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"supported": None}, "'supported' must be 0 or 1, not None"),
        ({"supported": 2}, "'supported' must be 0 or 1, not 2"),
        ({"supported": 0.5}, "'supported' must be 0 or 1, not 0.5"),
        ({"supported": "yes"}, "'supported' must be 0 or 1, not 'yes'"),
        ({"supported": float("nan")}, "'supported' must be 0 or 1, not nan"),
        ({"contexts": []}, "'contexts' is missing or empty"),
        ({"contexts": "text"}, "'contexts' must be a list of texts"),
        ({"contexts": [None]}, "'contexts' must be a list of texts"),
        ({"response": ""}, "'response' is missing or empty"),
        ({"response": 3}, "'response' must be a text, not 3"),
        ({"id": "row-0"}, "'row-0' occurs twice"),
        ({"id": ""}, "'id' is missing"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict, words: str) -> None:
    rows = claims(4)
    rows[2] |= change
    path = write(tmp_path / "a.jsonl", rows)
    with pytest.raises(BadDataset, match=re.escape(words)) as error:
        read(path)
    assert f"{str(path)!r}, line 3" in str(error.value)


def test_a_label_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", claims(2, label="other"))
    with pytest.raises(BadDataset, match="line 1: the label 'supported' is missing"):
        read(path)


def test_grades_and_labels_of_each_context(tmp_path: Path) -> None:
    row = claims(1)[0] | {"grade": 3.4, "each": [1], "contexts": ["x"]}
    path = write(tmp_path / "a.jsonl", [row])
    grade, each = Label("grade", top=5, grade=True), Label("each", many=True)
    assert read(path, grade, each)[0].labels == {"grade": (3.4,), "each": (1.0,)}
    write(path, [row | {"grade": 5.1}])
    with pytest.raises(BadDataset, match=r"a number from 0 to 5, not 5\.1"):
        read(path, grade)
    write(path, [row | {"each": [1, 0]}])
    with pytest.raises(BadDataset, match="has 2 values for 1 contexts"):
        read(path, each)


def test_rows_are_chosen_by_the_hash_of_their_id(tmp_path: Path) -> None:
    found = read(write(tmp_path / "a.jsonl", claims(20)))
    expected = sorted(f"row-{n}" for n in range(20))
    expected.sort(key=lambda name: hashlib.sha256(name.encode()).hexdigest()[:12])
    assert [row.id for row in by_hash(found, 7)] == expected[:7]
    assert [row.id for row in by_hash(reversed(found), 7)] == expected[:7]


def test_groups_are_documents_or_questions() -> None:
    whole = {"id": "i", "page": "p", "question": "q", "wiki_title": "w", "contexts": ["c" * 400]}
    for field, expected in (("page", "p"), ("question", "q"), ("wiki_title", "w")):
        assert group_of(whole) == expected
        whole[field] = None
    assert group_of(whole) == "c" * 300
    assert group_of({"id": "i", "contexts": [], "question": float("nan")}) == "i"
    assert 0.15 < sum(is_held_out(str(n)) for n in range(1000)) / 1000 < 0.25


def test_nan_is_how_tables_write_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [claims(1)[0] | {"question": float("nan")}])
    assert read(path)[0].question == ""

"""Samples from a file with one JSON object a line."""

import json
from pathlib import Path

import pytest

from ragstone import EvaluationDataset
from ragstone.errors import BadDataset


def test_from_jsonl_reads_fields_other_names_and_metadata(tmp_path: Path) -> None:
    path = tmp_path / "rows.txt"  # the method says what it is, not the name
    lines = [
        {"question": "q1 中文", "contexts": ["a", "b"], "mark": "x", "lang": "zh"},
        {"question": "q2", "contexts": [], "mark": "y", "lang": "en"},
    ]
    path.write_text("\n\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    data = EvaluationDataset.from_jsonl(path, column_map={"response": "mark"}, name="two")
    assert (data.name, len(data)) == ("two", 2)
    assert [sample.user_input for sample in data] == ["q1 中文", "q2"]
    assert [sample.response for sample in data] == ["x", "y"]
    assert data[0].retrieved_contexts == ["a", "b"]
    assert data.groups("lang") == ["zh", "en"]


def test_from_jsonl_names_the_line_that_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"question": "q1"}\n{"question": \n')
    with pytest.raises(BadDataset, match="line 2"):
        EvaluationDataset.from_jsonl(path)

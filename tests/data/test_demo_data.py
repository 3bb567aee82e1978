"""The demo data that ships with the package keeps the promises of its README."""

import json
import re
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

DEMO = files("ragstone") / "demo"
MAX_BYTES = 600_000
FIELDS = [
    "id",
    "user_input",
    "retrieved_contexts",
    "response",
    "reference",
    "fault",
    "topic",
    "source",
]
FAULTS = {
    None,
    "wrong_number",
    "contradiction",
    "unsupported_addition",
    "incomplete",
    "off_topic",
    "refusal",
    "outside_documents",
}


def read(name: str) -> str:
    return (DEMO / name).read_bytes().decode("utf-8", errors="strict")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    text = read("sqlite_docs.jsonl")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def test_size(rows: list[dict[str, Any]]) -> None:
    assert 95 <= len(rows) <= 120
    shipped = [entry for entry in DEMO.iterdir() if entry.is_file()]
    assert {entry.name for entry in shipped} >= {"sqlite_docs.jsonl", "README.md"}
    assert sum(len(entry.read_bytes()) for entry in shipped) < MAX_BYTES


def test_fields_are_present_in_order_and_typed(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert list(row) == FIELDS, row["id"]
        texts = [row[name] for name in FIELDS if name not in ("retrieved_contexts", "fault")]
        texts += row["retrieved_contexts"]
        assert all(isinstance(text, str) and text.strip() == text != "" for text in texts), row[
            "id"
        ]
        assert isinstance(row["retrieved_contexts"], list)
        assert 1 <= len(row["retrieved_contexts"]) <= 6


def test_ids_count_up_and_questions_are_unique(rows: list[dict[str, Any]]) -> None:
    assert [row["id"] for row in rows] == [f"sqlite-{n:03}" for n in range(1, len(rows) + 1)]
    assert len({row["user_input"] for row in rows}) == len(rows)


def test_faults_are_known_and_each_kind_is_frequent_enough(rows: list[dict[str, Any]]) -> None:
    counts = Counter(row["fault"] for row in rows)
    assert set(counts) == FAULTS
    assert min(counts.values()) >= 5
    assert 0.5 <= counts[None] / len(rows) <= 0.6


def test_readme_states_the_counts_of_the_data(rows: list[dict[str, Any]]) -> None:
    table = re.findall(r"^\| (null|`\w+`) \| (\d+) \|", read("README.md"), flags=re.MULTILINE)
    stated = {name.strip("`"): int(count) for name, count in table}
    assert stated == Counter(row["fault"] or "null" for row in rows)


def test_responses_are_not_copies(rows: list[dict[str, Any]]) -> None:
    assert len({row["response"] for row in rows}) == len(rows)
    for row in rows:
        assert row["response"] != row["reference"], row["id"]
        assert all(row["response"] not in text for text in row["retrieved_contexts"]), row["id"]


def test_contexts_are_real_passages(rows: list[dict[str, Any]]) -> None:
    passages = [
        text
        for row in rows
        if row["fault"] != "outside_documents"
        for text in row["retrieved_contexts"]
    ]
    assert sum(len(text.split()) > 20 for text in passages) >= 0.8 * len(passages)


def test_contexts_hold_no_markup_and_no_repeats(rows: list[dict[str, Any]]) -> None:
    markup = re.compile(r"</?(?:p|a|li|ul|tr|td|div|span)\b|&(?:nbsp|lt|gt|amp);")
    for row in rows:
        assert len(set(row["retrieved_contexts"])) == len(row["retrieved_contexts"]), row["id"]
        assert not any(markup.search(text) for text in row["retrieved_contexts"]), row["id"]


def test_sources_are_pages(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        pages = row["source"].split(", ")
        assert all(re.fullmatch(r"\w+\.html", page) for page in pages), row["id"]
        assert len(pages) <= len(row["retrieved_contexts"]), row["id"]

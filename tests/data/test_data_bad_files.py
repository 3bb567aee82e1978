"""Broken files are refused with file, line and mend."""

from __future__ import annotations

import csv
import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.data.readers import iter_samples, read_samples
from ragstone.errors import BadDataset, UsageError
from ragstone.schema.samples import SingleTurnSample

QUESTIONS = b"question,answer\nq,a\n"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"", "'.*a.csv' is empty; at least one row"),
        ("a.csv", b"question,answer\n", "'.*a.csv' has no rows"),
        ("a.csv", b"\xef\xbb\xbfquestion\n", "has no rows"),
        ("a.jsonl", b"", "is empty"),
        ("a.jsonl", b"\n  \n", "has no rows"),
        ("a.json", b"", "is empty"),
        ("a.json", b"[]", "has no rows"),
        ("a.csv", QUESTIONS + b"q\n", "line 3: 1 cells, but the header has 2"),
        ("a.csv", QUESTIONS + b"\nq,a,b\n", "line 4: 3 cells, but the header has 2"),
        ("a.csv", b'question,answer\n"a\nb",c\nd\n', "line 4: 1 cells"),
        ("a.csv", QUESTIONS + b'"open,a\nq,b\n', "line 3: not a CSV row.*never closed"),
        ("a.csv", QUESTIONS + b'"a"b,a\n', "line 3: not a CSV row"),
        ("a.csv", b"q,topic,topic\n1,2,3\n", "line 1: the column 'topic' occurs twice"),
        ("a.csv", b"q, q \n1,2\n", "line 1: the column 'q' occurs twice"),
        ("a.csv", b"question;answer\nq;a\n", "one column only, 'question;answer'"),
        ("a.csv", b"question,query\nq,a\n", "line 2: the columns 'question' and 'query' both"),
        ("a.csv", QUESTIONS + b"f\xfcr,a\n", "line 3, byte 21: the byte 0xfc is not UTF-8"),
        ("a.csv", b"\xef\xbb\xbf" + QUESTIONS + b"f\xfcr,a\n", "line 3, byte 24: "),
        ("a.csv", "question\nq\n".encode("utf-16"), "byte 0: the file is UTF-16"),
        ("a.jsonl", b'{"question": "f\xfcr"}\n', "line 1, byte 15: the byte 0xfc is not UTF-8"),
        ("a.jsonl", b'{"question": "q"}\n{"question": \n', "line 2.*: not JSON"),
        ("a.jsonl", b'{"question": "q"}\n\n[1]\n', "line 3: a line holds one JSON object"),
        ("a.jsonl", b'[\n{"question": "q"}\n]\n', "line 1, character 2: not JSON"),
        ("a.jsonl", b"null\n", "line 1: .* not null"),
        ("a.jsonl", b'{"a": 1, "a": 2}', "line 1: the key 'a' occurs twice"),
        ("a.jsonl", b'{"a": {"b": 1, "b": 2}}', "line 1: the key 'b' occurs twice"),
        ("a.jsonl", b'{"question": "\\ud83d"}', "line 1, column 'question': .*lone surrogate"),
        ("a.jsonl", b'{"note": Infinity}', "line 1, column 'note': .*no JSON form"),
        ("a.jsonl", b'{"note": ' + b"9" * 5000 + b"}", "line 1: Exceeds the limit"),
        ("a.jsonl", b'{"note": ' + b"[" * 100_000, "line 1: nested too deeply"),
        ("a.json", b'{"question": "q"}', "one array of objects, not an object"),
        ("a.json", b'[{"question": "q"}, 3]', "item 1: not an object but a number"),
        ("a.json", b'[\n{"question": "q"},\n', "line 3, character 1: not JSON"),
        ("a.json", b'[{"question": "q"}, {"question": 3}]', "item 1, column 'question'"),
        ("a.jsonl", b'{"user_input": []}\n{"user_input": "q"}\n', "line 2 is single-turn, but"),
        ("a.csv.gz", QUESTIONS, "is no whole gzip file"),
        ("a.csv.gz", gzip.compress(QUESTIONS * 100, mtime=0)[:-20], "is no whole gzip file"),
        ("a.parquet", QUESTIONS, "'.*a.parquet' cannot be read as Parquet"),
        ("a.parquet", b"", "cannot be read as Parquet"),
    ],
)
def test_a_broken_file_is_refused(name, data, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(BadDataset, match=message) as caught:
        read_samples(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json", "a.parquet", "a.csv.gz"])
def test_a_missing_file_and_a_folder_are_refused(name, tmp_path):
    with pytest.raises(BadDataset, match=f"{name}' does not exist"):
        read_samples(tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(BadDataset, match=f"{name}' is a folder"):
        read_samples(tmp_path / name)


@pytest.mark.parametrize("name", ["a.xlsx", "a", "a.gz", ".csv.zip"])
def test_an_unknown_ending_is_refused(name, tmp_path):
    with pytest.raises(UsageError, match=r"ends in none of \.csv, .*say format="):
        read_samples(tmp_path / name)


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no format 'xml'; formats: csv"):
        read_samples(tmp_path / "a.csv", format="xml")
    with pytest.raises(UsageError, match=r"unpack the \.gz first"):
        read_samples(tmp_path / "a.parquet.gz")


def test_the_format_can_be_said(tmp_path):
    path = tmp_path / "export.txt"
    path.write_bytes(QUESTIONS)
    assert read_samples(path, format="csv")[0].response == "a"


def test_names_of_any_case_are_known(tmp_path):
    path = tmp_path / "EXPORT.CSV"
    path.write_bytes(QUESTIONS)
    data = read_samples(path)
    assert (data[0].response, data.name) == ("a", "EXPORT.CSV")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_byte_order_mark_and_line_ends_are_accepted(mark, end, tmp_path):
    table = tmp_path / "a.csv"
    table.write_bytes(mark + QUESTIONS.replace(b"\n", end))
    lines = tmp_path / "a.jsonl"
    lines.write_bytes(mark + b'{"question": "q", "answer": "a"}' + end)
    for path in (table, lines):
        assert list(read_samples(path)) == [SingleTurnSample(user_input="q", response="a")]


def test_an_old_line_end_in_a_csv_file_is_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"question,answer\rq,a\r")
    with pytest.raises(BadDataset, match=r"line 1: not a CSV row .*new-line character"):
        read_samples(path)


def test_line_separators_inside_json_do_not_cut_it(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"question": "a\u2028b\u0085c"}\n', encoding="utf-8")
    assert read_samples(path)[0].user_input == "a\u2028b\u0085c"


def test_the_index_that_pandas_writes_is_kept_under_a_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",question\n0,q\n1,r\n")
    assert [s.metadata for s in read_samples(path)] == [{"column_1": "0"}, {"column_1": "1"}]


def test_json_nan_is_a_missing_value(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"question": "q", "answer": NaN, "score": NaN}')
    assert list(read_samples(path)) == [SingleTurnSample(user_input="q")]


def test_the_limit_of_the_csv_module_is_only_raised(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(QUESTIONS)
    read_samples(path)
    assert csv.field_size_limit() >= 2**31 - 1


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_rows_come_before_the_end_of_the_file_is_read(suffix, tmp_path):
    path = tmp_path / f"a.{suffix}"
    row = {"csv": "q,a\n", "jsonl": json.dumps({"question": "q", "answer": "a"}) + "\n"}[suffix]
    head = "question,answer\n" if suffix == "csv" else ""
    path.write_text(head + row * 3 + '"broken\n')
    samples = iter_samples(path)
    assert [next(samples).response for _ in range(3)] == ["a", "a", "a"]
    with pytest.raises(BadDataset, match=f"line {4 + (suffix == 'csv')}"):
        next(samples)


def test_conversations_in_csv(tmp_path):
    path = tmp_path / "a.csv"
    talk = [{"type": "human", "content": "hi"}, {"type": "ai", "content": "", "tool_calls": None}]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["user_input", "reference"], [json.dumps(talk), "r"]])
    data = read_samples(path)
    assert data.is_multi_turn()
    assert [message.type for message in data[0].user_input] == ["human", "ai"]


near_files = st.lists(
    st.sampled_from(
        [b"question", b"contexts", b",", b"\n", b'"', b"'", b"[", b"]", b"{", b"}", b":", b"\\d",
         b"\\ud83d", b"\x00", b"\xff", b"1e999", b"NaN", b"null", b"\r", b"user_input", b"rubrics",
         b"run_time", b"metadata", b"q", b'"type"', b'"human"', b"f'{", b"#"]
    )
    | st.binary(max_size=4)
).map(b"".join)  # fmt: skip


@pytest.mark.filterwarnings("ignore::ragstone.data.columns.ColumnWarning")
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet", "csv.gz"])
@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(body=near_files, head=st.sampled_from([b"", b"contexts\n", b'{"contexts": "', b"rubrics\n"]))
def test_any_bytes_are_read_or_refused(body, head, suffix, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / f"fuzz.{suffix}"
    path.write_bytes(gzip.compress(head + body, mtime=0) if suffix.endswith("gz") else head + body)
    assert str(path) in (_refusal(path) or str(path))


def _refusal(path):
    try:
        assert len(read_samples(path)) > 0
    except BadDataset as error:
        return str(error)
    return None

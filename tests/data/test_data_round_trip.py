"""What is written comes back as it was, whatever the values and the format."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.data.columns import ALIASES, FIELDS
from ragstone.data.dataset import EvaluationDataset
from ragstone.data.files import write_samples
from ragstone.data.readers import iter_samples, read_samples
from ragstone.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from ragstone.schema.samples import MultiTurnSample, SingleTurnSample

FORMATS = [
    "csv", "tsv", "jsonl", "ndjson", "json", "parquet", "csv.gz", "tsv.gz", "jsonl.gz", "json.gz",
]  # fmt: skip

TRICKY = [
    "", '"', '""', '"quoted"', "[1, 2]", '["a"]', "['a' 'b']", "{}", "null", "true", "1", "NaN",
    "=1+1", "@SUM(A1)", "-1", "\x00", "a\x00b", "\r", "\n", "\r\n", "a\rb", "\u2028", "\x85",
    "\ufeff", "  padded  ", "Größe", "日本語", "👩‍👩‍👧", ",", "\t", ";", "\\", "\\ud800", "None",
    '[{"type": "human", "content": "hi"}]', "[{'type': 'ai', 'content': 'hi'}]",
]  # fmt: skip

texts = st.sampled_from(TRICKY) | st.text(max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
calls = st.builds(ToolCall, name=texts, args=st.dictionaries(texts, json_values, max_size=3))
tool_calls = st.lists(calls, max_size=2)
names = (
    st.sampled_from([*FIELDS, *ALIASES, "metadata", "topic", "a:json", "rubric", "", " x ", "\x00"])
    | texts
)
metadata = st.none() | st.dictionaries(
    names, json_values.filter(lambda value: value is not None), min_size=1, max_size=3
)


def maybe(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | strategy


single_turn = st.builds(
    SingleTurnSample,
    id=maybe(texts),
    user_input=maybe(texts),
    response=maybe(texts),
    retrieved_contexts=maybe(st.lists(texts, max_size=3)),
    reference_contexts=maybe(st.lists(texts, max_size=3)),
    retrieved_context_ids=maybe(st.lists(texts | st.integers(), max_size=3)),
    reference_context_ids=maybe(st.lists(st.integers(), max_size=3)),
    reference=maybe(texts),
    reference_tool_calls=maybe(tool_calls),
    reference_topics=maybe(st.lists(texts, max_size=3)),
    multi_responses=maybe(st.lists(texts, max_size=3)),
    rubrics=maybe(st.dictionaries(texts, texts, max_size=3)),
    run_time=maybe(numbers),
    query_style=maybe(texts),
    metadata=metadata,
)
message_metadata = maybe(st.dictionaries(texts, json_values, max_size=2))
human = st.builds(HumanMessage, content=texts, metadata=message_metadata)
ai = st.builds(AIMessage, content=texts, metadata=message_metadata, tool_calls=maybe(tool_calls))
acting = st.tuples(
    st.builds(AIMessage, content=texts, tool_calls=st.lists(calls, min_size=1, max_size=2)),
    st.builds(ToolMessage, content=texts, metadata=message_metadata),
).map(list)
conversations = st.lists(st.lists(human | ai, max_size=2) | acting, max_size=3).map(
    lambda parts: [message for part in parts for message in part]
)
multi_turn = st.builds(
    MultiTurnSample,
    id=maybe(texts),
    user_input=conversations,
    reference=maybe(texts),
    reference_tool_calls=maybe(tool_calls),
    rubrics=maybe(st.dictionaries(texts, texts, max_size=2)),
    metadata=metadata,
)
sample_lists = st.lists(single_turn, min_size=1, max_size=4) | st.lists(
    multi_turn, min_size=1, max_size=4
)


def same(back: EvaluationDataset, data: EvaluationDataset) -> None:
    assert list(back) == list(data)
    assert back.content_hash == data.content_hash  # equal numbers of other types differ here


@pytest.mark.parametrize("suffix", FORMATS)
@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(samples=sample_lists)
def test_a_file_reads_back_as_it_was(samples, suffix, tmp_path_factory):
    path = tmp_path_factory.mktemp("trip") / f"samples.{suffix}"
    data = EvaluationDataset(samples)
    write_samples(data, path)
    same(read_samples(path), data)
    assert list(iter_samples(path)) == samples
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(samples=sample_lists)
def test_rows_and_frames_read_back_as_they_were(samples):
    data = EvaluationDataset(samples)
    same(EvaluationDataset.from_list(data.to_list()), data)
    same(EvaluationDataset.from_pandas(data.to_pandas()), data)


@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(samples=sample_lists)
def test_a_hugging_face_data_set_reads_back_as_it_was(samples):
    data = EvaluationDataset(samples)
    same(EvaluationDataset.from_hf_dataset(data.to_hf_dataset()), data)


@pytest.mark.parametrize("value", TRICKY)
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_each_tricky_text_in_each_place(value, suffix, tmp_path):
    data = EvaluationDataset(
        [
            SingleTurnSample(user_input=value, retrieved_contexts=[value, ""], reference=value),
            SingleTurnSample(response=value, rubrics={value: value}, metadata={"note": value}),
            SingleTurnSample(user_input="x", retrieved_contexts=[]),
        ]
    )
    path = tmp_path / f"t.{suffix}"
    write_samples(data, path)
    same(read_samples(path), data)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl", "parquet"])
def test_a_cell_of_a_million_characters(suffix, tmp_path):
    data = EvaluationDataset(
        [SingleTurnSample(user_input="ä" * 1_000_000, response="b\n" * 500_000)]
    )
    path = tmp_path / f"big.{suffix}"
    write_samples(data, path)
    same(read_samples(path), data)


def test_plain_texts_make_a_plain_csv_file(tmp_path):
    path = tmp_path / "plain.csv"
    sample = SingleTurnSample(
        user_input="Who?", response='He said "hi"', retrieved_contexts=["a", "b"], run_time=1.5
    )
    EvaluationDataset([sample]).to_csv(path)
    assert path.read_bytes() == (
        b"user_input,retrieved_contexts,response,run_time\r\n"
        b'Who?,"[""a"", ""b""]","He said ""hi""",1.5\r\n'
    )


def test_an_empty_text_marks_its_column_as_json(tmp_path):
    path = tmp_path / "marked.csv"
    data = EvaluationDataset(
        [SingleTurnSample(user_input="q", response=""), SingleTurnSample(user_input="r")]
    )
    data.to_csv(path)
    assert path.read_text() == 'user_input,response:json\nq,""""""\nr,\n'
    same(EvaluationDataset.from_csv(path), data)


def test_text_is_written_as_utf8_without_escapes(tmp_path):
    data = EvaluationDataset([SingleTurnSample(user_input="für 😀", rubrics={"größe": "ü"})])
    for suffix in ("csv", "jsonl", "json"):
        path = tmp_path / f"u.{suffix}"
        write_samples(data, path)
        assert "für 😀" in path.read_text("utf-8")
        assert "\\u" not in path.read_text("utf-8")


def test_the_hash_is_that_of_the_content_only():
    base = SingleTurnSample(user_input="q", metadata={"a": 1, "b": 2})
    data = EvaluationDataset([base], name="one")
    turned = base.model_copy(update={"metadata": {"b": 2, "a": 1, "c": None, "d": math.nan}})
    assert EvaluationDataset([turned], name="two").content_hash == data.content_hash
    for other in (
        [base, base],
        [base.model_copy(update={"response": ""})],
        [base.model_copy(update={"metadata": {"a": 1, "b": "2"}})],
        [base.model_copy(update={"id": "1"})],
        [],
    ):
        assert EvaluationDataset(other).content_hash != data.content_hash


def test_the_hash_heeds_the_order_of_rows():
    one, two = SingleTurnSample(user_input="1"), SingleTurnSample(user_input="2")
    forth, back = EvaluationDataset([one, two]), EvaluationDataset([two, one])
    assert forth.content_hash != back.content_hash


def test_equal_data_make_equal_gzip_files(tmp_path: Path):
    data = EvaluationDataset([SingleTurnSample(user_input="q")])
    for name in ("one.csv.gz", "two.csv.gz"):
        data.to_csv(tmp_path / name)
    assert (tmp_path / "one.csv.gz").read_bytes() == (tmp_path / "two.csv.gz").read_bytes()


def test_many_rows_go_through_several_parquet_groups(tmp_path):
    path = tmp_path / "many.parquet"
    data = EvaluationDataset([SingleTurnSample(user_input=str(n)) for n in range(20_001)])
    data.to_parquet(path)
    assert [sample.user_input for sample in iter_samples(path)] == [str(n) for n in range(20_001)]

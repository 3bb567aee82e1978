"""Which column fills which field, and what is refused."""

from __future__ import annotations

import warnings

import pytest

from ragstone.data.columns import ALIASES, FIELDS, ColumnWarning
from ragstone.data.dataset import EvaluationDataset
from ragstone.data.fields import LISTS, STRUCTURES
from ragstone.data.readers import read_samples
from ragstone.errors import BadDataset
from ragstone.schema.samples import MultiTurnSample, SingleTurnSample


def one(row, **options):
    (sample,) = EvaluationDataset.from_list([row], **options)
    return sample


def test_the_fields_are_those_of_the_samples():
    schema = SingleTurnSample.model_fields.keys() | MultiTurnSample.model_fields.keys()
    assert set(FIELDS) == schema - {"metadata"}
    assert set(ALIASES.values()) <= set(FIELDS)
    assert not set(ALIASES) & set(FIELDS)
    for field, info in SingleTurnSample.model_fields.items():
        kind = str(info.annotation)
        assert (field in LISTS) == ("list[" in kind and "ToolCall" not in kind), field
        assert (field in STRUCTURES) == ("dict[" in kind or "ToolCall" in kind), field


@pytest.mark.parametrize("column", [*FIELDS, *ALIASES])
def test_every_name_fills_its_field(column):
    field = ALIASES.get(column, column)
    values = {
        "reference_context_grades": [],
        "reference_tool_calls": [],
        "rubrics": {"a": "b"},
        "run_time": 2.5,
    }
    value = values.get(field, ["v"] if field in LISTS else "v")
    row = {column: value}
    if field not in SingleTurnSample.model_fields:
        row["user_input"] = [{"type": "human", "content": "x"}]
    sample = one(row)
    assert getattr(sample, field) == value
    assert sample.metadata is None


@pytest.mark.parametrize(
    ("first", "second", "field"),
    [
        ("question", "query", "user_input"),
        ("answer", "response", "response"),
        ("reference", "ground_truth", "reference"),
        ("context", "contexts", "retrieved_contexts"),
    ],
)
def test_two_columns_for_one_field_are_refused(first, second, field):
    with pytest.raises(BadDataset) as caught:
        one({first: "a", second: "b"})
    for name in (first, second, field, "row 0", "column_map"):
        assert name in str(caught.value)


def test_two_columns_for_one_field_in_different_rows_are_refused():
    with pytest.raises(BadDataset, match=r"row 1: the columns 'question' and 'user_input' both"):
        EvaluationDataset.from_list([{"question": "a"}, {"user_input": "b"}])


@pytest.mark.parametrize("name", ["contexts", "retrieved_contexts"])
def test_column_map_takes_old_and_new_field_names(name):
    sample = one({"q": "a", "my_ctx": ["c"]}, column_map={name: "my_ctx", "user_input": "q"})
    assert sample.retrieved_contexts == ["c"]
    assert sample.user_input == "a"


def test_column_map_settles_an_ambiguous_row():
    row = {"reference": "old", "ground_truth": "new", "expected": "other"}
    sample = one(row, column_map={"reference": "ground_truth"})
    assert sample.reference == "new"
    assert sample.metadata == {"reference": "old", "expected": "other"}
    again = EvaluationDataset.from_list(EvaluationDataset([sample]).to_list())
    assert again[0] == sample


@pytest.mark.parametrize(
    ("column_map", "message"),
    [
        ({"my_ctx": "contexts"}, r"'my_ctx', which is no field; write it the other way round"),
        ({"contxts": "my_ctx"}, r"'contxts', which is no field; fields: id, user_input"),
        ({"contexts": "gone"}, r"column 'gone', which does not exist; columns here: 'my_ctx'"),
        ({"contexts": "my_ctx", "context": "x"}, r"maps the field 'retrieved_contexts' twice"),
        ({"contexts": "my_ctx", "answer": "my_ctx"}, r"'my_ctx' to both 'retrieved_contexts' and"),
        ({"metadata": "my_ctx"}, r"'metadata', which is no field"),
    ],
)
def test_a_wrong_column_map_is_refused(column_map, message):
    with pytest.raises(BadDataset, match=message):
        one({"my_ctx": "c"}, column_map=column_map)


def test_column_map_reaches_files(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("frage,my_ctx\nWarum?,c\n")
    (sample,) = read_samples(path, column_map={"question": "frage", "contexts": "my_ctx"})
    assert (sample.user_input, sample.retrieved_contexts) == ("Warum?", ["c"])
    with pytest.raises(BadDataset, match="'gone', which does not exist"):
        read_samples(path, column_map={"question": "gone"})


def test_other_columns_become_metadata():
    sample = one({"question": "q", "topic": "t", "score": 3, "empty": None, "nan": float("nan")})
    assert sample.metadata == {"topic": "t", "score": 3}


def test_a_metadata_column_of_objects_is_merged():
    assert one({"topic": "t", "metadata": {"a": 1, "b": None}}).metadata == {"topic": "t", "a": 1}
    assert one({"metadata": "just text"}).metadata == {"metadata": "just text"}
    with pytest.raises(BadDataset, match="'topic' is both a column and a key"):
        one({"topic": "t", "metadata": {"topic": "u"}})


@pytest.mark.parametrize(
    ("column", "meant"),
    [
        ("retrieved_context", "retrieved_contexts"),
        ("retreived_contexts", "retrieved_contexts"),
        ("rubric", "rubrics"),
        ("Question", "question"),
        ("user input", "user_input"),
        ("refrence", "reference"),
    ],
)
def test_a_misspelt_field_is_told_once_and_kept(column, meant):
    with pytest.warns(ColumnWarning, match=f"'{column}'.*if you meant '{meant}'") as caught:
        data = EvaluationDataset.from_list([{column: "a"}, {column: "b", "topic": "t"}])
    assert len(caught) == 1
    assert [sample.value(column) for sample in data] == ["a", "b"]


@pytest.mark.parametrize(
    "column", ["response_2", "source", "query_type", "topic", "persona", "lang"]
)
def test_ordinary_columns_are_no_misspellings(column):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert one({column: "a"}).metadata == {column: "a"}


def test_a_lone_text_is_a_list_of_one():
    assert one({"contexts": "one text"}).retrieved_contexts == ["one text"]
    assert one({"contexts": "[1] cites the paper"}).retrieved_contexts == ["[1] cites the paper"]


@pytest.mark.parametrize("text", ['["a", "b"]', "['a', 'b']", ' [ "a" , "b" ] ', '["a",\n"b"]'])
def test_a_list_in_text_is_a_list(text):
    assert one({"contexts": text}).retrieved_contexts == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("['a' 'b']", "no commas between its items"),
        ("['a'\n 'b']", "no commas between its items"),
        ('["a", "b', "begins like a list but is none"),
        ("[1, 2]", r"retrieved_contexts\.0.*valid string, got 1"),
        ('["\\ud800"]', "lone surrogate"),
    ],
)
def test_a_broken_list_in_text_is_refused(text, message):
    with pytest.raises(BadDataset, match=f"row 0, column 'contexts'.*{message}"):
        one({"contexts": text})


def test_ground_truths_of_one_is_the_reference():
    assert one({"ground_truths": ["a"]}).reference == "a"
    assert one({"ground_truths": '["a"]'}).reference == "a"
    assert one({"ground_truths": "plain"}).reference == "plain"
    assert one({"ground_truths": []}).reference is None
    assert one({"reference": '["a"]'}).reference == '["a"]'


@pytest.mark.parametrize("value", [["a", "b"], '["a", "b"]'])
def test_several_ground_truths_are_refused(value):
    with pytest.raises(BadDataset, match=r"row 0, column 'ground_truths': 2 references.*keep one"):
        one({"ground_truths": value})


def test_tool_calls_and_rubrics_in_text_are_decoded():
    sample = one(
        {
            "reference_tool_calls": '[{"name": "f", "args": {"a": [1, null]}}]',
            "rubrics": "{'score1': 'bad'}",
        }
    )
    assert sample.reference_tool_calls[0].args == {"a": [1, None]}
    assert sample.rubrics == {"score1": "bad"}
    with pytest.raises(BadDataset, match="column 'rubrics': the text 'good' is not JSON"):
        one({"rubrics": "good"})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"question": 3},
            r"column 'question' \(user_input\): Input should be a valid string, got 3",
        ),
        ({"response": ["a"]}, r"column 'response': Input should be a valid string, got \['a'\]"),
        ({"rubrics": {"a": 1}}, r"column 'rubrics' \(rubrics\.a\): .*got 1"),
        ({"run_time": "fast"}, "column 'run_time': could not convert"),
        ({"user_input": [{"role": "user", "content": "x"}]}, r"column 'user_input'.*'type'"),
        ({"question": 3, "answer": 4}, "1 more problem"),
        ({3: "x"}, "column name 3 is not text"),
        ({"note:json": "{"}, "column 'note': Expecting"),
        ({"note:json": 3}, "holds JSON text"),
        ({"response": "a", "response:json": '"b"'}, "column 'response' has two values"),
    ],
)
def test_a_wrong_value_is_refused_by_row_and_column(row, message):
    with pytest.raises(BadDataset, match=f"row 0.*{message}"):
        one(row)


def test_whole_numbers_are_ids():
    assert one({"id": 17}).id == "17"

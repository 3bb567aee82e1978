"""The data set as a list, and its constructors."""

from __future__ import annotations

import sys

import datasets
import pandas as pd
import pytest

from ragstone import EvaluationDataset, MultiTurnSample, SingleTurnSample
from ragstone.data.parquet import read_rows
from ragstone.errors import BadDataset, MissingExtra
from ragstone.messages import AIMessage, HumanMessage

SAMPLES = [
    SingleTurnSample(user_input=str(n), response="a", metadata={"lang": n}) for n in range(5)
]
ROWS = [{"question": "q1", "contexts": ["a", "b"]}, {"question": "q2", "contexts": []}]


def test_it_is_a_list_of_samples():
    data = EvaluationDataset(samples=SAMPLES, name="five")
    assert len(data) == 5
    assert list(data) == data.samples == SAMPLES
    assert data[-1] is SAMPLES[-1]
    assert isinstance(data[1:3], EvaluationDataset)
    assert (list(data[::2]), data[1:3].name) == (SAMPLES[::2], "five")
    assert SAMPLES[2] in data
    assert data == EvaluationDataset(SAMPLES)
    assert data != EvaluationDataset(SAMPLES[:4])
    assert repr(data) == "EvaluationDataset(features=['user_input', 'response', 'lang'], len=5)"
    with pytest.raises(IndexError):
        data[5]
    with pytest.raises(TypeError):
        data["user_input"]


def test_an_empty_data_set():
    data = EvaluationDataset.from_list([])
    assert (len(data), data.features(), data.is_multi_turn(), data.to_list()) == (0, [], False, [])
    with pytest.raises(BadDataset, match="no row has a value"):
        data.groups("lang")


def test_mixed_kinds_are_refused_by_index():
    talk = MultiTurnSample(user_input=[HumanMessage(content="hi")])
    with pytest.raises(BadDataset, match="sample 1 is multi-turn, but sample 0 is single-turn"):
        EvaluationDataset([SAMPLES[0], talk])
    with pytest.raises(BadDataset, match="row 2 is single-turn, but row 0 is multi-turn"):
        EvaluationDataset.from_list([talk, {"user_input": []}, {"user_input": "q"}])


def test_a_dict_is_no_sample():
    with pytest.raises(BadDataset, match=r"sample 0 is a 'dict'.*from_list"):
        EvaluationDataset(samples=[{"user_input": "q"}])
    with pytest.raises(BadDataset, match="row 1: a row maps columns to values, got 'str'"):
        EvaluationDataset.from_list([{"user_input": "q"}, "question"])


def test_features_are_those_of_all_rows():
    data = EvaluationDataset([SAMPLES[0], SingleTurnSample(reference="r", retrieved_contexts=[])])
    assert data.features() == ["user_input", "retrieved_contexts", "response", "reference", "lang"]


def test_groups_are_labels_in_the_order_of_rows():
    data = EvaluationDataset([*SAMPLES[:2], SingleTurnSample(user_input="x")])
    assert data.groups("lang") == ["0", "1", None]
    assert data.groups("user_input") == ["0", "1", "x"]
    with pytest.raises(BadDataset, match="'topic'; columns here: 'user_input', 'response', 'lang'"):
        data.groups("topic")
    with pytest.raises(BadDataset, match="row 0: the column 'retrieved_contexts' holds a 'list'"):
        EvaluationDataset.from_list(ROWS).groups("retrieved_contexts")


def test_from_list_takes_dicts_samples_and_message_objects():
    talk = [HumanMessage(content="hi"), AIMessage(content="ho")]
    data = EvaluationDataset.from_list([{"user_input": talk}, MultiTurnSample(user_input=talk)])
    assert data.is_multi_turn()
    assert data[0] == data[1]


def test_fields_that_conversations_lack_become_metadata():
    row = {"user_input": [HumanMessage(content="hi")], "persona_name": "Ann"}
    data = EvaluationDataset.from_list([row])
    assert data[0].value("persona_name") == "Ann"
    assert EvaluationDataset.from_list(data.to_list()) == data


def test_from_dict_takes_columns_and_rows():
    columns = {"question": ["q1", "q2"], "contexts": [["a", "b"], []]}
    data = EvaluationDataset.from_dict(columns, name="both")
    assert data == EvaluationDataset.from_dict(ROWS) == EvaluationDataset.from_list(ROWS)
    assert data.name == "both"
    with pytest.raises(BadDataset, match=r"different lengths: \{'question': 2, 'answer': 1\}"):
        EvaluationDataset.from_dict({"question": ["a", "b"], "answer": ["c"]})
    with pytest.raises(BadDataset, match="the column 'question' is not a list of values: 'q'"):
        EvaluationDataset.from_dict({"question": "q"})


def test_from_pandas_reads_missing_values_and_arrays(tmp_path):
    frame = pd.DataFrame({"question": ["q1", None], "contexts": [["a"], None], "n": [1.5, None]})
    expected = [
        SingleTurnSample(user_input="q1", retrieved_contexts=["a"], metadata={"n": 1.5}),
        SingleTurnSample(),
    ]
    assert list(EvaluationDataset.from_pandas(frame)) == expected
    frame.to_parquet(tmp_path / "f.parquet")
    assert list(EvaluationDataset.from_pandas(pd.read_parquet(tmp_path / "f.parquet"))) == expected
    assert list(EvaluationDataset.from_parquet(tmp_path / "f.parquet")) == expected
    frame.to_csv(tmp_path / "f.csv", index=False)
    (first, second) = EvaluationDataset.from_csv(tmp_path / "f.csv")
    assert (first.retrieved_contexts, second) == (["a"], SingleTurnSample())


def test_from_pandas_refuses_what_is_no_table():
    twice = pd.DataFrame([["a", "b"]], columns=["question", "question"])
    with pytest.raises(BadDataset, match="the column 'question' occurs twice"):
        EvaluationDataset.from_pandas(twice)
    with pytest.raises(BadDataset, match="a pandas DataFrame is needed, got 'list'"):
        EvaluationDataset.from_pandas(ROWS)


def test_to_pandas_keeps_the_types():
    frame = EvaluationDataset(SAMPLES).to_pandas()
    assert list(frame.columns) == ["user_input", "response", "lang"]
    assert frame["lang"].tolist() == [0, 1, 2, 3, 4]
    assert frame["lang"].mean() == 2


def test_from_hf_dataset_takes_one_split(tmp_path):
    one = datasets.Dataset.from_list(ROWS)
    expected = EvaluationDataset.from_list(ROWS)
    assert EvaluationDataset.from_hf_dataset(one) == expected
    assert EvaluationDataset.from_hf_dataset(one.with_format("numpy")) == expected
    assert EvaluationDataset.from_hf_dataset(one.to_iterable_dataset()) == expected
    with pytest.raises(BadDataset, match=r"several splits, 'eval'; choose one: dataset\['eval'\]"):
        EvaluationDataset.from_hf_dataset(datasets.DatasetDict({"eval": one}))
    with pytest.raises(BadDataset, match="a Hugging Face Dataset is needed, got 'list'"):
        EvaluationDataset.from_hf_dataset(ROWS)


def test_messages_of_a_columnar_format_lose_their_empty_keys():
    rows = [
        {
            "user_input": [
                {"type": "human", "content": "hi"},
                {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {"a": 1}}]},
                {"type": "tool", "content": "3"},
            ]
        }
    ]
    data = EvaluationDataset.from_hf_dataset(datasets.Dataset.from_list(rows))
    assert data == EvaluationDataset.from_list(rows)


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("pandas", lambda data, path: data.to_pandas()),
        ("pandas", lambda data, path: EvaluationDataset.from_pandas(None)),
        ("datasets", lambda data, path: data.to_hf_dataset()),
        ("datasets", lambda data, path: EvaluationDataset.from_hf_dataset(None)),
        ("pyarrow", lambda data, path: data.to_parquet(path)),
        ("pyarrow", lambda data, path: list(read_rows(path))),
    ],
)
def test_an_absent_extra_is_named(module, call, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[data\]'"):
        call(EvaluationDataset(SAMPLES), tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())

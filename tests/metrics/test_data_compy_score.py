"""DataCompy score: the published tables, keys and positions, and texts that are no table."""

import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import MissingExtra, UsageError
from ragstone.metrics import DataCompyScore, MetricResult, catalogue

DATA1 = """acct_id,dollar_amt,name,float_fld,date_fld
10000001234,123.45,George Maharis,14530.1555,2017-01-01
10000001235,0.45,Michael Bluth,1,2017-01-01
10000001236,1345,George Bluth,,2017-01-01
10000001237,123456,Bob Loblaw,345.12,2017-01-01
10000001238,1.05,Lucille Bluth,,2017-01-01
10000001238,1.05,Loose Seal Bluth,,2017-01-01
"""
DATA2 = """acct_id,dollar_amt,name,float_fld
10000001234,123.4,George Michael Bluth,14530.155
10000001235,0.45,Michael Bluth,
10000001236,1345,George Bluth,1
10000001237,123456,Robert Loblaw,345.12
10000001238,1.05,Loose Seal Bluth,111
"""


def scored(response: str, reference: str, **options: Any) -> MetricResult:
    return DataCompyScore(**options).score(response=response, reference=reference)


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
@pytest.mark.parametrize("mode", ["rows", "row"])
def test_a24_no_row_of_the_published_tables_matches(mode: str, metric: str) -> None:
    result = scored(DATA1, DATA2, mode=mode, metric=metric)
    assert result.value == 0.0
    assert result.evidence[1].text == "row 2"
    assert result.evidence[1].reason == "in float_fld"


@pytest.mark.parametrize("mode", ["columns", "column"])
def test_a25_one_column_of_the_published_tables_matches(mode: str) -> None:
    value = {m: scored(DATA1, DATA2, mode=mode, metric=m).value for m in ("precision", "recall")}
    assert value == {"precision": 0.2, "recall": 0.25}
    result = scored(DATA1, DATA2, mode=mode)
    assert result.value == pytest.approx(2 / 9, abs=1e-12)
    assert [piece.text for piece in result.evidence if piece.verdict == "equal"] == ["acct_id"]


def test_rows_are_paired_by_position_or_by_key() -> None:
    response, reference = "id,n\n2,b\n1,a\n3,x\n", "ID,n\n1,a\n2,b\n"
    assert scored(response, reference).value == 0.0
    assert scored(response, reference, on=("id",)).value == pytest.approx(0.8)
    assert scored(response, reference, on=("id",), metric="precision").value == 2 / 3
    assert scored(response, reference, on="id", metric="recall").value == 1.0


def test_repeated_keys_are_paired_as_often_as_they_occur() -> None:
    assert scored("k,v\n1,a\n1,b\n", "k,v\n1,a\n", on=("k",), metric="precision").value == 0.5
    assert scored("k,v\n1,a\n1,a\n", "k,v\n1,a\n1,a\n", on=("k",)).value == 1.0


@pytest.mark.parametrize(
    ("response", "reference", "value"),
    [
        ("a,b\n1,2\n", "b,a\n2,1\n", 1.0),
        ("A\n1\n", "a\n1.0\n", 1.0),
        ("a\n", "a\n", 1.0),
        ("a\n", "b\n", 0.0),
        ("a\n", "a\n1\n", 0.0),
        ("a\n1\n", "a\n", 0.0),
        ("a\n1\n", "b\n1\n", 0.0),
        ("Number 0 is red.", "Number 0 is blue.", 0.0),
        ('stadt,größe\n"Köln, am Rhein",405\n', 'stadt,größe\n"Köln, am Rhein",405\n', 1.0),
        ("名前,値\n東京,1\n", "名前,値\n京都,1\n", 0.0),
        ("a,a_df1,_merge,a_match,row\n1,2,3,4,5\n", "a,a_df1,_merge,a_match,row\n1,2,3,4,5\n", 1.0),
        ("a\n\n1\n", "a\n1\n", 1.0),
        ("a,b\n1,\n", "a,b\n1,\n", 1.0),
        ("a\r\n1\r\n", "a\n1\n", 1.0),
    ],
)
def test_small_tables(response: str, reference: str, value: float) -> None:
    assert scored(response, reference).value == value


def test_a_cell_may_be_long() -> None:
    long = "a\n" + "x" * 200_000
    assert scored(long, long).value == 1.0
    assert scored(long + "y", long).value == 0.0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a,b\n1,2\n3\n", "row 2 has 1 cells, the header 2"),
        ("a,b\n1,2,3\n", "row 1 has 3 cells"),
        ("a,A\n1,2\n", "two columns have one name"),
        ('a,b\n"1,2\n', "no CSV"),
    ],
)
def test_a_response_that_is_no_table_matches_nothing(text: str, why: str) -> None:
    result = scored(text, "a,b\n1,2\n")
    assert result.value == 0.0
    assert why in result.reason
    other = scored("a,b\n1,2\n", text)
    assert (other.status, other.code) == ("unscored", "bad_reference")
    assert why in other.reason


def test_a_missing_key_is_told() -> None:
    result = scored("a\n1\n", "id,a\n1,1\n", on=("id",))
    assert result.value == 0.0
    assert "has no column 'id'" in result.reason
    assert scored("id\n1\n", "a\n1\n", on=("id",)).code == "bad_reference"


names = st.sampled_from(["a", "b", "c"])
cells = st.sampled_from(["", "1", "2", "1.5", "x", "NA", "true", '"a,b"', "é"])


@st.composite
def tables(draw: st.DrawFn) -> str:
    header = draw(st.lists(names, min_size=1, unique=True))
    rows = draw(st.lists(st.lists(cells, min_size=len(header), max_size=len(header)), max_size=4))
    return "\n".join(",".join(row) for row in [header, *rows])


@settings(max_examples=25)
@given(tables(), tables(), st.sampled_from(["rows", "columns"]))
def test_precision_and_recall_mirror_each_other(first: str, second: str, mode: str) -> None:
    p = scored(first, second, mode=mode, metric="precision")
    r = scored(second, first, mode=mode, metric="recall")
    f1 = scored(first, second, mode=mode)
    assert p.value == r.value
    assert 0.0 <= float(f1) <= 1.0
    assert scored(first, first, mode=mode).value == 1.0


def test_parameters_are_checked_and_kept() -> None:
    with pytest.raises(UsageError, match="mode must be one of rows, columns, row, column"):
        DataCompyScore(mode="cells")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="metric must be one of precision, recall, f1"):
        DataCompyScore(metric="f2")  # type: ignore[arg-type]
    metric = catalogue.build("data_compy_score:mode=column,on=id|day")
    assert metric == DataCompyScore(mode="columns", on=("id", "day"))


def test_an_absent_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datacompy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[sql\]'"):
        scored("a\n1\n", "a\n1\n")

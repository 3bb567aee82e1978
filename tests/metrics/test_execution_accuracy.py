"""Execution accuracy on real databases: what is equal, and that nothing but reading is done."""

import datetime
import sqlite3
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.errors import UsageError
from ragstone.metrics import ExecutionAccuracy, MetricResult
from ragstone.metrics.sql._same_rows import only_in, same_rows

TABLE = "CREATE TABLE t (a INTEGER, b TEXT, c REAL)"
ROWS = [(1, "x", 0.1), (2, "東京", 0.2), (2, "東京", 0.2), (None, "50%", None)]


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    path = tmp_path / "a b ü.db"
    database = sqlite3.connect(path)
    database.execute(TABLE)
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", ROWS)
    database.commit()
    database.close()
    return f"sqlite:///{path}"


@pytest.fixture
def filled_postgres_url(postgres_uri: str) -> Iterator[str]:
    with psycopg.connect(postgres_uri, autocommit=True) as connection:
        connection.execute("CREATE DATABASE queries")
    url = postgres_uri.replace("/postgres?", "/queries?")
    with psycopg.connect(url) as connection:
        connection.execute(TABLE)
        connection.cursor().executemany("INSERT INTO t VALUES (%s, %s, %s)", ROWS)
    yield url
    with psycopg.connect(postgres_uri, autocommit=True) as connection:
        connection.execute("DROP DATABASE queries WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest) -> str:
    fixture = "sqlite_url" if request.param == "sqlite" else "filled_postgres_url"
    return str(request.getfixturevalue(fixture))


def run(url: str, response: str, reference: str, **options: Any) -> MetricResult:
    return ExecutionAccuracy(database_url=url, **options).score(
        response=response, reference=reference
    )


def content(url: str) -> list[Any]:
    """What the table holds, read by another way."""
    if url.startswith("sqlite"):
        database = sqlite3.connect(url.removeprefix("sqlite:///"))
        found = database.execute("SELECT * FROM t").fetchall()
        database.close()
        return found
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT * FROM t").fetchall()


CASES = [
    ("select a, b from t", "select a, b from t", 1.0),
    ("select b, a from t", "select a, b from t", 1.0),
    ("select a as n from t;", "select t.a from t", 1.0),
    ("select a from t order by a desc", "select a from t", 1.0),
    ("select b from t order by b desc", "select b from t order by b", 0.0),
    ("select b from t order by b", "select b from t order by b", 1.0),
    ("select distinct a from t", "select a from t", 0.0),
    ("select a from t where a > 100", "select a from t where a > 200", 1.0),
    ("select a from t where a > 100", "select a from t", 0.0),
    ("select sum(c) from t", "select 0.5", 1.0),
    ("select 2.0", "select 2", 1.0),
    ("select '2'", "select 2", 0.0),
    ("select b from t where b like '%0\\%' escape '\\'", "select '50%'", 1.0),
    ("select b from t where b = '東京'", "select b from t where a = 2", 1.0),
    (
        "with q as (select a from t) select max(a) from q",
        "select a from t where c > 0.15 limit 1",
        1.0,
    ),
    ("select a, a from t", "select a from t", 0.0),
    ("selec a from t", "select a from t", 0.0),
    ("select nothing from t", "select a from t", 0.0),
    ("Number 0 is red.", "select a from t", 0.0),
]


def test_equal_rows_are_right_however_they_are_asked_for(url: str) -> None:
    for response, reference, value in CASES:
        result = run(url, response, reference)
        assert (result.value, result.reason != "") == (value, True), (response, result.reason)


def test_missing_and_extra_rows_are_told(url: str) -> None:
    result = run(url, "select a from t where a = 1 union all select 7", "select distinct a from t")
    assert result.value == 0.0
    told = [(piece.verdict, piece.text) for piece in result.evidence]
    assert sorted(told) == [("extra", "7"), ("missing", "2"), ("missing", "None")]
    assert "2 missing, 1 extra" in result.reason


WRITING = [
    "drop table t",
    "delete from t",
    "insert into t values (9, 'z', 9)",
    "insert into t values (9, 'z', 9) returning a",
    "update t set a = 9",
    "select 1; drop table t",
    "select 1; commit; drop table t; select 1",
    "create table u (a int)",
    "commit",
    "begin",
]
SQLITE_WRITING = [
    "attach 'other.db' as o",
    "vacuum into 'other.db'",
    "pragma writable_schema = on",
    "select load_extension('x')",
]
POSTGRES_WRITING = [
    "with gone as (delete from t returning a) select a from gone",
    "select set_config('transaction_read_only', 'off', false)",
    "select 1 for update; drop table t",
    "copy t to '/tmp/ragstone-never'",
    "do $$ begin delete from t; end $$",
]


def test_nothing_is_written(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before, files = content(url), sorted(tmp_path.iterdir())
    own = SQLITE_WRITING if url.startswith("sqlite") else POSTGRES_WRITING
    for query in [*WRITING, *own]:
        result = run(url, query, "select 1")
        assert result.value == 0.0, query
        assert "the response fails" in result.reason
        assert run(url, "select 1", query).code == "bad_reference"
    assert content(url) == before
    assert sorted(tmp_path.iterdir()) == files


def test_time_and_rows_are_limited(url: str) -> None:
    endless = "with recursive r(n) as (select 1 union all select n + 1 from r) select {} from r"
    for shown in ("count(*)", "max(n)"):
        result = run(url, endless.format(shown), "select 1", timeout=0.2)
        assert result.value == 0.0
        assert "the response fails" in result.reason
        other = run(url, "select 1", endless.format(shown), timeout=0.2)
        assert (other.code, other.value) == ("bad_reference", None)
    result = run(url, "select a from t", "select 1", max_rows=2)
    assert result.value == 0.0
    assert "more rows than the reference" in result.reason
    assert run(url, "select 1", "select a from t", max_rows=3).code == "too_long"
    assert run(url, "select a from t", "select a from t", max_rows=4).value == 1.0


@pytest.mark.slow
def test_values_of_many_types_are_compared(filled_postgres_url: str) -> None:
    query = (
        "select 1::numeric, 1.5::float8, true, 'x'::bytea, now()::date, array[1, 2], "
        "'{\"a\": 1}'::jsonb, 'NaN'::float8, 1e400::numeric, null"
    )
    assert run(filled_postgres_url, query, query).value == 1.0
    assert run(filled_postgres_url, "select true", "select 1").value == 1.0


def test_a_huge_value_is_refused(sqlite_url: str) -> None:
    result = run(sqlite_url, "select zeroblob(1000000000)", "select 1")
    assert (result.value, "too big" in result.reason) == (0.0, True)


def test_text_that_is_no_unicode_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE t (a TEXT)")
    database.execute("INSERT INTO t VALUES (CAST(x'4dfc6e' AS TEXT))")
    database.commit()
    database.close()
    assert run(f"sqlite:///{path}", "select a from t", "select a from t").value == 1.0


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "sqlite:///PATH"),
        ("sqlite://", "sqlite:///PATH"),
        ("sqlite:///:memory:", "sqlite:///PATH"),
        ("mysql://u@h/d", "'mysql'"),
        ("/tmp/x.db", "sqlite:///PATH"),
        ("postgresql://u:geheim@h/d", "no password"),
        ("postgresql://u@h/d?password=geheim", "no password"),
        ("mysql://u:geheim@h/d", "'mysql'"),
    ],
)
def test_other_databases_and_passwords_are_refused(url: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        ExecutionAccuracy(database_url=url)
    assert "geheim" not in str(caught.value)


def test_limits_are_checked_and_a_missing_database_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'none.db'}"
    with pytest.raises(UsageError, match="timeout must be"):
        ExecutionAccuracy(database_url=url, timeout=0)
    with pytest.raises(UsageError, match="max_rows must"):
        ExecutionAccuracy(database_url=url, max_rows=0)
    with pytest.raises(UsageError, match=r"none\.db' cannot be opened"):
        run(url, "select 1", "select 1")
    assert list(tmp_path.glob("*.db")) == []


cells = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.floats(allow_nan=True),
    st.decimals(allow_nan=False),
    st.just(Decimal("NaN")),
    st.text(max_size=2),
    st.binary(max_size=2),
    st.booleans(),
    st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 3)),
)
tables = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[cells] * n), max_size=5))


@given(tables, st.randoms())
def test_rows_are_the_same_in_any_order(rows: list[Any], draw: Any) -> None:
    mixed = list(rows)
    draw.shuffle(mixed)
    assert same_rows(mixed, rows, ordered=False)
    assert same_rows(rows, rows, ordered=True)
    assert only_in(mixed, rows) == []
    assert not same_rows([*rows, rows[0]], rows, ordered=False) if rows else True


def test_numbers_are_equal_whatever_their_type() -> None:
    assert same_rows([(1, 0.1 + 0.2)], [(Decimal("1.0"), Decimal("0.3"))], ordered=False)
    assert same_rows([(True,)], [(1,)], ordered=False)
    assert not same_rows([(2**60,)], [(2**60 + 1,)], ordered=False)
    assert not same_rows([("1",)], [(1,)], ordered=False)
    assert not same_rows([(None,)], [("",)], ordered=False)

"""What cannot be stored breaks one cell; what cannot be read is named."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from store_builders import make_cell, make_run, make_samples

from ragstone.errors import StoreError
from ragstone.schema.cells import Cell
from ragstone.schema.usage import Call, Usage
from ragstone.store import Store, open_store


class Silent:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def call(**changes: Any) -> Call:
    return Call(**({"prompt": "p", "judge": "j", "input": {}, "output": None} | changes))


@pytest.mark.parametrize(
    ("bad", "part", "usage"),
    [
        ({"calls": (call(input={"a": object()}),)}, "in calls, a tuple cannot be", Usage(calls=2)),
        ({"calls": (call(output={"a": Silent()}),)}, "in calls, a tuple", Usage(calls=2)),
        ({"usage": Usage(calls=2**63)}, "calls must be a whole number of 64", Usage(cost=None)),
        ({"usage": Usage(input_tokens=10**6000)}, "not an integer of 19,932", Usage(cost=None)),
        ({"usage": Usage(output_tokens=None)}, "not None", Usage(cost=None)),  # type: ignore[arg-type]
        ({"usage": Usage(cost=math.nan)}, "cost must be a finite number", Usage(cost=None)),
        ({"usage": Usage(estimated="x")}, "estimated must be True or", Usage(cost=None)),  # type: ignore[arg-type]
        ({"seconds": math.inf}, "seconds must be a finite number", Usage(cost=None)),
    ],
)
def test_a_cell_that_cannot_be_stored_fails_alone(
    store: Store, bad: dict[str, Any], part: str, usage: Usage
) -> None:
    store.add_run(make_run(), make_samples())
    broken = replace(make_cell(1), **({"usage": Usage(calls=2)} | bad))
    store.add_cells("run-1", [make_cell(0), broken, make_cell(2)])
    first, second, third = store.cells("run-1")
    assert (first, third) == (make_cell(0), make_cell(2))
    assert (second.result.status, second.result.code) == ("failed", "not_storable")
    assert part in str(second.result.error)
    assert second.usage == usage
    store.add_cells("run-1", [make_cell(1)])  # a resumed run measures it again
    assert list(store.cells("run-1"))[1] == make_cell(1)


def damaged(tmp_path: Path, statement: str) -> str:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    with open_store(url) as store:
        store.add_run(make_run(), make_samples())
        calls = (call(),)
        store.add_cells("run-1", [Cell(r, "bleu", make_cell().result, calls=calls) for r in (0, 1)])
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()
    return url


@pytest.mark.parametrize("detail", ["{", "[]", '{"calls": [{}]}', '{"value": 1e999}', '{"code": 1'])
def test_a_damaged_cell_is_named(tmp_path: Path, detail: str) -> None:
    url = damaged(tmp_path, f"UPDATE cell SET detail = '{detail}' WHERE row = 1")
    with open_store(url) as store:
        reading = store.cells("run-1")
        assert next(reading).row == 0
        words = "cannot read the cell of row 1 and metric 'bleu' of the run 'run-1', which is dam"
        with pytest.raises(StoreError, match=words):
            next(reading)


@pytest.mark.parametrize("detail", ["", "7", '{"user_input": 3}'])
def test_a_damaged_sample_is_named(tmp_path: Path, detail: str) -> None:
    url = damaged(tmp_path, f"UPDATE sample SET detail = '{detail}' WHERE row = 2")
    with open_store(url) as store, pytest.raises(StoreError, match=r"sample of row 2 of the run"):
        list(store.samples("run-1"))


@pytest.mark.parametrize("table", ["run", "metric"])
def test_a_damaged_run_is_named(tmp_path: Path, table: str) -> None:
    with open_store(damaged(tmp_path, f"UPDATE {table} SET detail = '{{'")) as store:
        for read in (store.runs, lambda: store.run("run-1")):
            with pytest.raises(StoreError, match="cannot read the record of the run 'run-1'"):
                read()


def test_metrics_of_an_older_store_have_no_class(tmp_path: Path) -> None:
    url = damaged(tmp_path, """UPDATE metric SET detail = '{"spec": {}, "prompts": []}'""")
    with open_store(url) as store:
        assert [info.defined_in for info in store.run("run-1").metrics] == ["", "", ""]

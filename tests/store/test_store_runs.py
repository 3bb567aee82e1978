"""Runs, samples and cells go in and come out; on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from store_builders import later, make_cell, make_run, make_samples

from ragstone.errors import UsageError
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.results import MetricResult
from ragstone.schema.runs import MetricInfo
from ragstone.schema.samples import SingleTurnSample
from ragstone.schema.usage import Usage
from ragstone.store import Store, open_store


def failed(row: int = 0, metric: str = "faithfulness", error: str = "boom") -> Cell:
    return Cell(row, metric, MetricResult.failed(error), usage=Usage(calls=1, cost=None))


def test_a_run_comes_back_with_its_samples_in_order(store: Store) -> None:
    run, samples = make_run(n_rows=1201), make_samples(1201)
    store.add_run(run, iter(samples))
    assert store.run("run-1") == run
    assert list(store.samples("run-1")) == samples


def test_an_empty_run_is_a_run(store: Store) -> None:
    run = make_run(n_rows=0, metrics=())
    store.add_run(run, [])
    assert store.run("run-1") == run
    assert list(store.samples("run-1")) == list(store.cells("run-1")) == []
    assert store.finished_cells("run-1") == set()
    store.add_cells("run-1", [])


def test_cells_come_by_row_and_then_in_the_order_of_the_metrics(store: Store) -> None:
    store.add_run(make_run(), make_samples())
    keys = [(r, m) for r in range(3) for m in ("faithfulness", "answer_relevancy", "bleu")]
    cells = [make_cell(row, metric, (row + 1) / 4) for row, metric in keys]
    store.add_cells("run-1", cells[::-2])
    store.add_cells("run-1", cells[-2::-2])
    assert list(store.cells("run-1")) == cells
    assert list(store.cells("run-1", metric="bleu")) == cells[2::3]
    assert store.finished_cells("run-1") == {CellKey(*key) for key in keys}


def test_a_failed_cell_gives_way_and_a_finished_one_never_does(store: Store) -> None:
    store.add_run(make_run(), make_samples())
    unscored = Cell(1, "bleu", MetricResult.unscored("no_context", "nothing there"))
    store.add_cells("run-1", [failed(), unscored])
    assert store.finished_cells("run-1") == {CellKey(1, "bleu")}
    store.add_cells("run-1", [failed(error="boom again"), failed(1, "bleu")])
    assert list(store.cells("run-1")) == [failed(error="boom again"), unscored]
    store.add_cells("run-1", [make_cell(value=0.25), make_cell(1, "bleu", 1.0)])
    store.add_cells("run-1", [make_cell(value=0.75), failed()])
    assert list(store.cells("run-1")) == [make_cell(value=0.25), unscored]


def test_within_one_batch_the_same_rule_holds(store: Store) -> None:
    store.add_run(make_run(), make_samples())
    store.add_cells("run-1", [failed(), make_cell(value=0.1), make_cell(value=0.9), failed()])
    assert list(store.cells("run-1")) == [make_cell(value=0.1)]


def test_reading_goes_on_while_cells_are_written(store: Store) -> None:
    store.add_run(make_run(n_rows=1000), make_samples(1000))
    store.add_cells("run-1", [make_cell(row) for row in range(0, 1000, 2)])
    reading = store.cells("run-1")
    first = next(reading)
    store.add_cells("run-1", [make_cell(row) for row in range(1, 1000, 2)])
    assert [first, *reading] == [make_cell(row) for row in range(0, 1000, 2)]
    assert sum(1 for _ in store.cells("run-1")) == 1000


def test_an_abandoned_reader_gives_its_connection_back(store: Store) -> None:
    store.add_run(make_run(n_rows=300), make_samples(300))
    for _ in range(40):  # more than there are connections
        next(store.samples("run-1"))
    store.add_cells("run-1", [make_cell()])


def test_the_state_is_set(store: Store) -> None:
    store.add_run(make_run(), make_samples())
    store.set_state("run-1", "stopped", "budget", 12.5, later(1))
    stopped = store.run("run-1")
    assert stopped == make_run(
        state="stopped", stopped_by="budget", seconds=12.5, finished=later(1)
    )
    store.set_state("run-1", "running")
    assert store.run("run-1") == make_run(state="running", seconds=12.5)
    store.set_state("run-1", "done", seconds=20.0, finished=later(9))
    assert store.run("run-1") == make_run(state="done", seconds=20.0, finished=later(9))


def test_deleting_takes_everything_of_that_run_alone(store: Store) -> None:
    for run_id in ("one", "two"):
        store.add_run(make_run(run_id), make_samples())
        store.add_cells(run_id, [make_cell()])
    store.delete_run("one")
    assert [run.id for run in store.runs()] == ["two"]
    assert list(store.cells("two")) == [make_cell()]
    for call in (store.samples, store.cells, store.finished_cells, store.delete_run):
        with pytest.raises(UsageError, match="there is no run 'one'"):
            call("one")
    store.add_run(make_run("one"), make_samples())
    assert list(store.cells("one")) == []


def test_writing_to_a_run_that_another_deleted_is_an_error(store: Store, url: str) -> None:
    store.add_run(make_run(), make_samples())
    store.add_cells("run-1", [make_cell(0)])
    with open_store(url) as other:
        other.delete_run("run-1")
    with pytest.raises(UsageError, match="'run-1' is no longer in the store"):
        store.add_cells("run-1", [make_cell(1)])


def test_the_newest_runs_come_first(store: Store) -> None:
    # the order is that of adding: the clock of a machine may be set back between two runs
    for number in (1, 2, 3):
        store.add_run(
            make_run(f"r{number}", name="odd" if number % 2 else "even", created=later(-number)),
            make_samples(),
        )
    store.add_run(make_run("r3b", name="odd", created=later(-9), metrics=()), make_samples())
    assert [run.id for run in store.runs()] == ["r3b", "r3", "r2", "r1"]
    assert [run.id for run in store.runs(limit=2)] == ["r3b", "r3"]
    assert store.runs(limit=0) == []
    assert [run.id for run in store.runs(name="odd")] == ["r3b", "r3", "r1"]
    assert [run.id for run in store.runs(name="odd", limit=1)] == ["r3b"]
    assert store.runs(name="none") == []
    assert store.runs()[1] == store.run("r3") == make_run("r3", name="odd", created=later(-3))
    assert store.runs()[0].metrics == ()
    assert store.run("latest").id == store.run("last").id == "r3b"
    with pytest.raises(UsageError, match="a run is named by a string, not 5"):
        store.runs(name=5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a run is named by a string, not 5"):
        store.run(5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="limit must be 0 or more, not -1"):
        store.runs(limit=-1)


def test_a_run_is_found_by_what_people_type(store: Store) -> None:
    names = {"a1f0": "nightly", "a1f9": "weekly", "b2%_": "b", "b2xx": "nightly"}
    for minutes, (run_id, name) in enumerate(names.items()):
        store.add_run(make_run(run_id, name=name, created=later(minutes)), make_samples())
    found = {ref: store.run(ref).id for ref in ("a1f0", "weekly", "b2%", "b2x", "b")}
    assert found == {"a1f0": "a1f0", "weekly": "a1f9", "b2%": "b2%_", "b2x": "b2xx", "b": "b2%_"}
    assert store.run("latest").id == store.run("last").id == "b2xx"
    with pytest.raises(UsageError, match=r"'a1' means several runs: a1f9 \(weekly, 2026-01-02 "):
        store.run("a1")
    with pytest.raises(UsageError, match=r"'nightly' means several runs: b2xx .*, a1f0 "):
        store.run("nightly")
    with pytest.raises(UsageError, match=r"no run 'weakly'; did you mean a1f9 \(weekly"):
        store.run("weakly")
    with pytest.raises(UsageError, match=r"no run 'zzzzzz'; the newest are b2xx"):
        store.run("zzzzzz")
    with pytest.raises(UsageError, match="'' means several runs"):
        store.run("")


def test_an_empty_store_says_so(store: Store) -> None:
    for ref in ("latest", "x", ""):
        with pytest.raises(UsageError, match="the store holds no runs yet"):
            store.run(ref)
    assert store.runs() == []


def test_what_a_run_must_not_be_is_refused_and_leaves_nothing(store: Store) -> None:
    store.add_run(make_run(), make_samples())
    with pytest.raises(UsageError, match="there is a run 'run-1' already"):
        store.add_run(make_run(), make_samples())
    with pytest.raises(UsageError, match="'two' has n_rows=3, but 2 samples were given"):
        store.add_run(make_run("two"), make_samples(2))
    double = (MetricInfo("bleu", {}), MetricInfo("bleu", {}))
    with pytest.raises(UsageError, match="two metrics of the run 'two' have the same key"):
        store.add_run(make_run("two", metrics=double), make_samples())
    with pytest.raises(UsageError, match="has no time zone"):
        store.add_run(make_run("two", created=datetime(2026, 1, 1)), make_samples())
    with pytest.raises(UsageError, match="builtin_function"):
        store.add_run(make_run("two", metadata={"a": print}), make_samples())

    def broken() -> Iterator[SingleTurnSample]:
        yield from make_samples(2)
        raise OSError("the file went away")

    with pytest.raises(OSError, match="the file went away"):
        store.add_run(make_run("two"), broken())
    assert [run.id for run in store.runs()] == ["run-1"]


def test_wrong_names_are_named(store: Store) -> None:
    store.add_run(make_run(), make_samples())
    with pytest.raises(UsageError, match="no run 'nope'"):
        store.add_cells("nope", [make_cell()])
    with pytest.raises(UsageError, match="no run 'nope'"):
        store.set_state("nope", "done")
    with pytest.raises(UsageError, match="'finished' is no state of a run"):
        store.set_state("run-1", "finished")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="'run-1' has no metric 'rouge'; its metrics: 'faith"):
        store.add_cells("run-1", [make_cell(), make_cell(metric="rouge")])
    with pytest.raises(UsageError, match="has no metric 'rouge'"):
        store.cells("run-1", metric="rouge")
    assert list(store.cells("run-1")) == []


def test_many_threads_write_at_once(store: Store) -> None:
    store.add_run(make_run(n_rows=200), make_samples(200))

    def write(start: int) -> None:
        for row in range(start, 200, 8):
            store.add_cells("run-1", [make_cell(row)])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    assert [cell.row for cell in store.cells("run-1")] == list(range(200))

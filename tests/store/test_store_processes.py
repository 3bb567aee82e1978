"""Several processes, and a process that is killed: nothing is lost, nothing is there twice."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from store_builders import make_cell, make_run, make_samples

from ragstone.store import open_store

pytestmark = pytest.mark.slow

CHILD = Path(__file__).with_name("store_child.py")


def start(*arguments: object) -> subprocess.Popen[str]:
    """A child that is ready and waits for `go`."""
    child = subprocess.Popen(
        [sys.executable, str(CHILD), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def go(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()


def test_processes_that_open_a_fresh_database_at_once(url: str) -> None:
    children = [start("open", url) for _ in range(4)]
    for child in children:
        go(child)
    for child in children:
        _, errors = child.communicate(timeout=60)
        assert (child.returncode, errors) == (0, "")
    with open_store(url, create=False) as store:
        store.add_run(make_run(), make_samples())
        assert store.run("last") == make_run()


def test_two_processes_write_two_runs_at_once(url: str) -> None:
    with open_store(url) as store:
        for run_id in ("one", "two"):
            store.add_run(make_run(run_id, n_rows=2000), make_samples(2000))
        children = [start("write", url, run_id, 0, 2000) for run_id in ("one", "two")]
        for child in children:
            go(child)
        for child in children:
            _, errors = child.communicate(timeout=120)
            assert (child.returncode, errors) == (0, "")
        for run_id in ("one", "two"):
            assert list(store.cells(run_id)) == [make_cell(row) for row in range(2000)]


def test_a_killed_process_loses_no_committed_cell(url: str) -> None:
    n_rows, lengths = 20_000, random.Random(7)
    with open_store(url) as store:
        store.add_run(make_run(n_rows=n_rows), make_samples(n_rows))
    committed: set[int] = set()
    for _ in range(5):
        begin = max(committed, default=-1) + 1
        child = start("write", url, "run-1", begin, n_rows)
        go(child)
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(lengths.randrange(20, 600))]
        child.kill()  # SIGKILL, while it writes
        rest, errors = child.communicate(timeout=60)
        assert (child.returncode, errors) == (-9, "")
        # the first line may have begun in what readline read ahead; the last may be cut off
        whole = rest.split("\n")[1:-1]
        committed |= {int(line) for line in (*told, *whole)}
        with open_store(url, create=False) as store:
            cells = list(store.cells("run-1"))
            assert cells == [make_cell(row) for row in sorted({cell.row for cell in cells})]
            assert committed <= {cell.row for cell in cells}
            # a server may still be committing what the child sent last
            assert {cell.key for cell in cells} <= store.finished_cells("run-1")
        committed = {cell.row for cell in cells}
    assert 100 < len(committed) < n_rows
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

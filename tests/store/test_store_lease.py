"""The lease of a run: one holder at a time, and a dead one holds nothing up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from store_builders import make_run, make_samples

from ragstone.errors import UsageError
from ragstone.store import Store, open_store
from ragstone.store.lease import new_owner

CHILD = Path(__file__).with_name("store_child.py")
ELSEWHERE = "another-machine:1:abc"


@pytest.fixture
def leased(store: Store) -> Store:
    store.add_run(make_run(), make_samples())
    return store


@pytest.fixture
def takers(leased: Store, url: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Two processes that are ready to take the run."""
    started = [
        subprocess.Popen(
            [sys.executable, str(CHILD), "take", url, "run-1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    assert [child.stdout.readline() for child in started if child.stdout] == ["ready\n"] * 2
    yield started
    for child in started:
        child.kill()
        child.communicate(timeout=60)


def go(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()


def test_one_holds_a_run_until_it_lets_go(leased: Store) -> None:
    one, other = new_owner(), new_owner()
    assert one != other
    assert leased.take("run-1", one)
    assert leased.take("run-1", one)
    assert not leased.take("run-1", other)
    assert (leased.keep("run-1", one), leased.keep("run-1", other)) == (True, False)
    leased.release("run-1", other)
    assert not leased.take("run-1", other)
    leased.release("run-1", one)
    assert leased.take("run-1", other)
    assert not leased.keep("run-1", one)
    assert leased.run("run-1") == make_run()


def test_a_lease_without_heartbeat_is_taken_over_and_the_first_learns_it(leased: Store) -> None:
    assert leased.take("run-1", ELSEWHERE)
    assert not leased.take("run-1", new_owner())
    assert leased.take("run-1", new_owner(), ttl=0.0)
    assert not leased.keep("run-1", ELSEWHERE)


@pytest.mark.parametrize(("shift", "taken"), [(-31, True), (-20, False), (20, False), (31, True)])
def test_30_seconds_without_a_heartbeat_are_too_long(
    tmp_path: Path, shift: int, taken: bool
) -> None:
    """A heartbeat far in the future was given before a clock was set back."""
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    with open_store(url) as store:
        store.add_run(make_run(), make_samples())
        assert store.take("run-1", ELSEWHERE)
        engine = create_engine(url)
        with engine.begin() as connection:
            moved = f"strftime('%Y-%m-%d %H:%M:%f', heartbeat, '{shift} seconds')"
            connection.execute(text(f"UPDATE run SET heartbeat = {moved} || '000'"))
        engine.dispose()
        assert store.take("run-1", new_owner()) is taken


def test_a_dead_process_of_this_machine_is_followed_at_once(leased: Store) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(timeout=60)
    host = new_owner().partition(":")[0]
    assert leased.take("run-1", f"{host}:{ended.pid}:abc")
    assert leased.take("run-1", f"{host}:{os.getppid()}:abc")
    assert not leased.take("run-1", new_owner())


@pytest.mark.parametrize("owner", ["", "x", ":::", "host:1", "{host}:nonsense:1", "{host}:0:1"])
def test_an_owner_of_another_form_is_held_to_the_heartbeat_alone(leased: Store, owner: str) -> None:
    assert leased.take("run-1", owner.format(host=new_owner().partition(":")[0]))
    assert not leased.take("run-1", new_owner())


def test_a_run_that_is_not_there(leased: Store) -> None:
    with pytest.raises(UsageError, match="there is no run 'nope'"):
        leased.take("nope", new_owner())
    assert not leased.keep("nope", new_owner())
    leased.release("nope", new_owner())


def test_of_two_processes_one_gets_the_run_and_its_death_frees_it(
    leased: Store, takers: list[subprocess.Popen[str]]
) -> None:
    for child in takers:
        go(child)
    told = [child.stdout.readline().split() for child in takers if child.stdout]
    assert sorted(got for got, _ in told) == ["False", "True"]
    assert not leased.take("run-1", new_owner())
    winner = next(child for child, (got, _) in zip(takers, told, strict=True) if got == "True")
    winner.kill()  # SIGKILL: it lets go of nothing
    winner.wait(timeout=60)
    assert leased.take("run-1", new_owner())

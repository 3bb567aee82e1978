"""Ctrl-C and resume, with a real process and a real server on loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_rows import write_rows

from ragstone.settings import Settings
from ragstone.store.opening import open_store

ROWS = 60


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a slow judge in a process of its own."""
    command = [sys.executable, "-m", "ragstone.testing.llm_server", "--latency", "0.2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip()
        running.terminate()


@pytest.fixture
def judged(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


def interrupted(path: Path) -> subprocess.CompletedProcess[str]:
    """Evaluate, and press Ctrl-C when some cells are kept."""
    options = ["-m", "faithfulness", "--judge", "gpt-4o-mini", "--concurrency", "2", "--name", "s"]
    command = [sys.executable, "-m", "ragstone", "evaluate", str(path), *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "80"},
    ) as running:
        deadline = time.monotonic() + 60
        while cells_of_latest() < 4 and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    return subprocess.CompletedProcess(command, running.returncode, out, err)


def cells_of_latest() -> int:
    with open_store(Settings.from_env().database_url) as store:
        runs = store.runs(limit=1)
        return len(list(store.cells(runs[0].id))) if runs else 0


@pytest.mark.slow
@pytest.mark.usefixtures("judged")
def test_ctrl_c_keeps_everything_and_resume_goes_on(ragstone, process, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", wrong=0, n=ROWS, contexts=["a context"])
    stopped = interrupted(path)
    assert stopped.returncode == 130
    assert stopped.stdout == ""
    assert "Traceback" not in stopped.stderr
    line = rf"Stopped\. (\d+) of {ROWS} cells are kept\. Resume with: ragstone resume (\w+)\n"
    found = re.search(line, stopped.stderr)
    assert found is not None
    kept, run_id = int(found[1]), found[2]
    assert 4 <= kept == cells_of_latest() < ROWS
    assert ragstone("runs", "--json").json[0]["state"] == "stopped"
    assert "not measured" in ragstone("gate", "latest", "--min", "faithfulness=0.1").out

    other = process("resume", run_id, "--judge", "ollama/qwen3")
    assert other.returncode == 2
    assert "the judges differ: openai/gpt-4o-mini and ollama/qwen3" in other.stderr

    done = process("resume", run_id)
    assert done.returncode == 0
    assert f"{ROWS}/{ROWS}" in done.stdout
    (run,) = ragstone("runs", "--json").json
    assert (run["state"], run["id"]) == ("done", run_id)
    assert cells_of_latest() == ROWS


@pytest.mark.slow
@pytest.mark.usefixtures("judged")
def test_a_spent_budget_stops_and_says_how_to_go_on(process, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", wrong=0, n=10, contexts=["a context"])
    judge = ("--judge", "gpt-4o-mini", "-m", "faithfulness")
    stopped = process("evaluate", str(path), *judge, "--budget", "7 calls")
    assert stopped.returncode == 0
    assert "Stopped: the budget of 7 calls is spent." in stopped.stderr
    assert "of 10 cells are kept. Resume with: ragstone resume" in stopped.stderr
    assert "not measured" in stopped.stdout
    done = process("resume", "latest")
    assert done.returncode == 0
    assert "10/10" in done.stdout


def test_resume_needs_no_judge_where_none_judged(ragstone, answers: Path) -> None:
    ragstone("evaluate", str(answers), "-m", "exact_match", "--name", "plain")
    answer = ragstone("resume", "plain")
    assert answer.code == 0
    assert "8/8" in answer.out
    assert len(ragstone("runs", "--json").json) == 1


def test_an_unknown_run_cannot_be_resumed(ragstone) -> None:
    answer = ragstone("resume", "nothing")
    assert answer.code == 2
    assert "there is no run 'nothing'" in answer.err

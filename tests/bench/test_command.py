"""`ragstone bench agreement` with the local judge, in a process of its own, killed and resumed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rows import claims, write

from ragstone import __version__


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ragstone", "bench", "agreement", *arguments]


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, env={**os.environ, **env}, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "data" / "dev" / "fm2.jsonl.gz", claims(40))
    return tmp_path / "data"


@pytest.mark.slow
def test_killed_and_resumed_and_rebuilt_without_a_judge(folder: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    arguments = ("--judge", "local", "--scores", str(scores), "--format", "json")
    with subprocess.Popen(command("--data", str(folder), *arguments), stdout=-1) as process:
        while process.poll() is None and _lines(scores) < 6:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        process.kill()
    kept = _lines(scores)
    assert kept >= 6
    first = run("--data", str(folder), *arguments)
    assert first.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    assert found["who"]["judge"]["kind"] == "local"
    assert found["who"]["version"] == __version__
    (fm2,) = found["sets"]
    assert fm2["scored"] == fm2["rows"] == 40
    assert fm2["lines"][0]["judge"]["value"] > 0.9
    assert scores.read_bytes().count(b'"set": "fm2"') == 40
    # the table is built again without a key, a model or a name: nothing is asked
    again = run("--scores", str(scores), "--format", "json", RAGSTONE_LABELLED_DATA=str(folder))
    assert json.loads(again.stdout) == found
    other = run("--data", str(folder), "--judge", "gpt-4o", "--scores", str(scores))
    assert other.returncode == 2
    assert "holds scores of 'local', not of 'gpt-4o'" in other.stderr


@pytest.mark.slow
def test_table_markdown_and_clear_errors(folder: Path, tmp_path: Path) -> None:
    scores = str(tmp_path / "scores.jsonl")
    arguments = ("--data", str(folder), "--judge", "local", "--rows", "8", "--scores", scores)
    table = run(*arguments).stdout
    assert "8 of 8 rows scored" in table
    assert "balanced accuracy" in table
    assert max(map(len, table.splitlines())) <= 80
    page = run(*arguments, "--format", "markdown").stdout
    assert "| set | measure | judge | word overlap | published | rows |" in page
    empty = tmp_path / "empty"
    empty.mkdir()
    found = run("--data", str(empty), "--judge", "local")
    assert found.returncode == 2
    assert "there is no labelled set of the name wice" in found.stderr
    assert "Traceback" not in found.stderr
    unnamed = run(RAGSTONE_LABELLED_DATA="")
    assert unnamed.returncode == 2
    assert "--data" in unnamed.stderr


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0

"""What the tests of the command line share: a way to call it, and small files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_rows import write_rows

Run = Callable[..., "Answer"]


class Answer:
    """What a command answered: exit code, stdout, stderr."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def ragstone(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call the command line as `main` does, in this process."""
    from ragstone.cli import main

    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> Answer:
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        out, err = capfd.readouterr()
        return Answer(int(stop.value.code or 0), out, err)

    return call


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Call the command line as a process of its own."""

    def call(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ragstone", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=False, **options
        )

    return call


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Eight rows, the last two of them wrong."""
    return write_rows(tmp_path / "answers.jsonl", wrong=2)

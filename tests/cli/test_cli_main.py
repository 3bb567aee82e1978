from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ragstone as package
from ragstone.cli.commands import COMMANDS

HEAVY = ("pydantic", "sqlalchemy", "numpy", "aiohttp", "rich", "jinja2", "genai_prices")


def test_help_lists_every_command_without_loading_anything_heavy() -> None:
    code = (
        "import sys\n"
        "from ragstone.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as stop: assert not stop.code\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "loaded: []" in done.stdout
    for name, (_, text) in COMMANDS.items():
        assert f"{name} " in done.stdout
        assert text in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_what_the_commands_say(name: str) -> None:
    module, text = COMMANDS[name]
    command = importlib.import_module(f"ragstone.cli.{module}").command
    assert command.name == name
    assert (command.help or "").partition("\n")[0] == text


def test_version(ragstone) -> None:
    assert ragstone("--version").out == f"ragstone {package.__version__}\n"


def test_an_unknown_command_is_misuse_with_the_near_names(ragstone) -> None:
    answer = ragstone("evalute")
    assert answer.code == 2
    assert "no command 'evalute'; did you mean 'evaluate'?" in answer.err
    assert answer.out == ""


def test_an_unknown_option_is_misuse(ragstone) -> None:
    answer = ragstone("runs", "--jsn")
    assert answer.code == 2
    assert "--json" in answer.err


def test_exit_codes_of_real_processes(process, tmp_path: Path) -> None:
    done = process("show", "nothing")
    assert done.returncode == 2
    assert done.stderr == "Error: there is no run 'nothing'; the store holds no runs yet\n"
    assert done.stdout == ""
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database, whatever its name says" * 50)
    done = process("runs", "--database", f"sqlite:///{broken}")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr
    assert process("--version").returncode == 0


def test_the_traceback_is_shown_when_asked_for(process) -> None:
    done = process("show", "nothing", env={**os.environ, "RAGSTONE_DEBUG": "1"})
    assert done.returncode == 2
    assert "Traceback" in done.stderr
    assert done.stderr.endswith("the store holds no runs yet\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-m", "ragstone", "metrics"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    with running:
        assert running.stderr.read() == b""
    assert running.returncode == 1


def test_no_escape_codes_outside_a_terminal(ragstone, answers: Path) -> None:
    assert "\x1b" not in ragstone("evaluate", str(answers), "-m", "exact_match").out

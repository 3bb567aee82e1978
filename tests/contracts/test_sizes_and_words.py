"""Files stay small, and hold no leftover of how they were made."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "benchmarks", "training", "examples", "packages")
ALL = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
every = pytest.mark.parametrize("path", ALL, ids=lambda p: p.relative_to(ROOT).as_posix())


@every
def test_no_file_is_over_400_lines_and_no_function_over_60(path: Path) -> None:
    """A function counts from `def` to its end.

    Decorators are left out: those of a command declare one option each, and are as many as the
    command has options; those of a test list its cases. Neither is code that runs in the function.
    """
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name


def tracked() -> Iterator[Path]:
    """The text files of the project that are tracked, or all below its folders outside of git."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True
    )
    names = [n for n in listed.stdout.split("\0") if n]
    paths = [ROOT / name for name in names] or [p for p in ROOT.glob("[!.]*/**/*") if p.is_file()]
    for path in paths:
        if path.is_file() and path.suffix not in (".onnx", ".png", ".woff2", ".parquet", ".gz"):
            yield path


FORBIDDEN = {
    "a leftover": re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b"),
    "a path of one machine": re.compile(r"(?<![\w.])/(ro" r"ot|wo" r"rk)/\w"),
    "the host of a package registry": re.compile(
        r"https?://[^/\s\"']*(py" r"pi|pythonhos" r"ted|npm" r"js|cra" r"tes\.io)"
    ),
}
_EXEMPT = {"CARD.md", "LICENSE", "tokenizer.json", "sqlite_docs.jsonl"}  # others' words


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_holds(what: str) -> None:
    pattern = FORBIDDEN[what]
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked()
        if path.name not in _EXEMPT
        for match in [pattern.search(path.read_text(encoding="utf-8", errors="ignore"))]
        if match
    ]
    assert found == []


def test_names_of_modules_say_what_they_hold() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}
    assert [path for path in ALL if path.stem in vague or path.parent.name in vague] == []

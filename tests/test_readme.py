"""What the front pages show works: the example, the commands and the links."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from ragstone.cli.commands import ragstone

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The one code block of that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_example_prints_what_its_comment_says(own_home: Path, tmp_path: Path) -> None:
    """With the local judge, in an empty folder."""
    (promised,) = re.findall(r"^print\(result\)  # (.+)$", block("python"), re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block("python")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == promised
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", own_home.name}


COMMANDS = [line for line in block("bash").splitlines() if line.strip()]


def parse(line: str) -> None:
    """Parse a command line as click does, without running it."""
    program, name, *arguments = shlex.split(line, comments=True)
    assert program == "ragstone"
    command = ragstone.get_command(click.Context(ragstone), name)
    assert command is not None, name
    command.make_context(name, arguments)


@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_of_the_readme_parses(line: str) -> None:
    parse(line)


@pytest.mark.parametrize(
    "line",
    [
        "ragstone evaluate",
        "ragstone evaluate a.jsonl --jugde local",
        "ragstone report r --formt html",
    ],
)
def test_a_wrong_command_does_not_parse(line: str) -> None:
    with pytest.raises(click.UsageError):
        parse(line)


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {head.lower().replace(" ", "-") for head in heads}, target


def test_the_readme_is_one_screen() -> None:
    assert len(README.splitlines()) <= 60

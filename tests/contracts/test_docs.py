"""The pages that are taken from the code say what the code says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from blank_policy import POLICY

from ragstone.cli.commands import COMMANDS
from ragstone.llms.known import KNOWN
from ragstone.metrics import catalogue

ROOT = Path(__file__).parents[2]
PAGES = ("metrics.md", "cli.md", "settings.md")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, written anew."""
    folder = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make-docs"), str(folder)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_current(page: str, made: Path) -> None:
    kept = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert kept == (made / page).read_text(encoding="utf-8"), "run `make docs`"


def section(page: str, title: str) -> str:
    """The text below a heading, to the next one."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no section {title!r}"
    return found[1]


def test_nothing_is_left_out() -> None:
    for name in catalogue.NAMES:
        assert section("metrics.md", name)
    for name in COMMANDS:
        assert section("cli.md", f"ragstone {name}")
    code = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "src").rglob("*.py"))
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"RAGSTONE_[A-Z_]+", code)) == set(re.findall(r"RAGSTONE_[A-Z_]+", page))
    keys = section("settings.md", "Keys of providers")
    assert all(f"`{name}`" in keys for known in KNOWN.values() for name in known.variables)


@pytest.mark.parametrize(("name", "field"), sorted(POLICY), ids=str)
def test_the_page_tells_the_policy_on_blank_fields(name: str, field: str) -> None:
    policy = POLICY[name, field]
    said = f"unscored ({policy})" if isinstance(policy, str) else "judged without it"
    said = f"{policy:g}" if isinstance(policy, float) else said
    found = re.search(rf"^\| blank `{field}` \| (.*?)(;.*)? \|$", section("metrics.md", name), re.M)
    assert found
    assert found[1] == said

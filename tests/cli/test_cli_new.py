"""`ragstone new metric`: three files that work as written, and nothing is ever overwritten."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragstone.metrics import catalogue
from ragstone.metrics.base import Metric
from scripted import FakeJudge, quiet, rows


@pytest.fixture(autouse=True)
def no_module_stays() -> Iterator[None]:
    yield
    for name in [name for name in sys.modules if name.startswith("ragstone_metrics_")]:
        del sys.modules[name]


def test_a_metric_is_added_by_its_own_three_files(
    ragstone: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else is touched: the command line and the library know it by its folder."""
    monkeypatch.chdir(tmp_path)
    made = ragstone("new", "metric", "short_enough")
    assert made.code == 0
    assert made.out.split() == [
        "metrics/short_enough.py",
        "metrics/short_enough.toml",
        "metrics/test_short_enough.py",
    ]
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "ragstone-home") == ["metrics"]
    assert "short_enough" not in ragstone("metrics").out

    monkeypatch.setenv("RAGSTONE_METRICS", "metrics")
    listed = ragstone("metrics")
    assert "short_enough" in listed.out
    assert "test_short_enough" not in listed.out
    page = ragstone("metrics", "short_enough", "--json").json
    assert (page["reads"], page["tools"]) == (["user_input", "response"], ["judge"])
    metric = catalogue.build("short_enough")
    assert type(metric).__name__ == "ShortEnough"
    judge = FakeJudge({"own/short_enough": {"verdict": "yes"}})
    assert quiet(rows(2), [metric], llm=judge)["short_enough"] == [1.0, 1.0]
    assert Metric.load(metric.save(tmp_path)) == metric


def test_the_test_that_is_written_passes_as_written(ragstone: Any, tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    assert ragstone("new", "metric", "polite", "--folder", str(folder)).code == 0
    for path in folder.iterdir():
        assert "$" not in path.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "test_polite.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "100", "."]
    checked = subprocess.run(ruff, cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("there", ["polite.py", "polite.toml", "test_polite.py"])
def test_no_file_is_overwritten(ragstone: Any, tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    answer = ragstone("new", "metric", "polite", "--folder", str(tmp_path))
    assert answer.code == 2
    assert there in answer.err
    assert [(p.name, p.read_text()) for p in tmp_path.glob("*polite*")] == [(there, "mine")]


def test_a_dangling_link_is_a_file_that_is_there(ragstone: Any, tmp_path: Path) -> None:
    (tmp_path / "polite.py").symlink_to(tmp_path / "elsewhere.py")
    assert ragstone("new", "metric", "polite", "--folder", str(tmp_path)).code == 2
    assert not (tmp_path / "elsewhere.py").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Polite", "small letters"),
        ("../polite", "small letters"),
        ("po-lite", "small letters"),
        ("po__lite", "small letters"),
        ("_polite", "small letters"),
        ("", "small letters"),
        ("höflich", "small letters"),
        ("a" * 61, "small letters"),
        ("class", "cannot be the name of a class"),
        ("top_5", "begin each word with a letter"),
        ("faithfulness", "there is a metric 'faithfulness' already"),
        ("response_relevancy", "there is a metric"),
        ("json", "Python module"),
        ("pytest", "Python module"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    ragstone: Any, tmp_path: Path, name: str, words: str
) -> None:
    answer = ragstone("new", "metric", name, "--folder", str(tmp_path / "new"))
    assert answer.code == 2
    assert words in answer.err
    assert not (tmp_path / "new").exists()


def test_files_beside_the_metrics_are_none(
    ragstone: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "setup.py").write_text("raise SystemExit('imported')")
    (tmp_path / "broken.py").write_bytes(b"\xff\xfe class Broken(")
    (tmp_path / "wrong.py").write_text("class Wrong(Exception):\n    pass\n")
    monkeypatch.setenv("RAGSTONE_METRICS", str(tmp_path))
    answer = ragstone("metrics")
    assert answer.code == 0
    assert "faithfulness" in answer.out
    assert "holds no Metric class called 'wrong'" in " ".join(answer.err.split())
    (tmp_path / "wrong.py").write_text("import no_such_module\nclass Wrong(Exception): ...\n")
    assert "cannot be loaded" in " ".join(ragstone("metrics", "wrong").err.split())
    monkeypatch.setenv("RAGSTONE_METRICS", str(tmp_path / "none"))
    answer = ragstone("metrics", "wrong")
    assert (answer.code, "is no folder" in answer.err) == (2, True)

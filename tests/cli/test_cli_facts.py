"""The commands that look around: metrics, doctor, cache; and the words that options take."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragstone.api.defaults import choose_judge
from ragstone.cache import DiskCacheBackend
from ragstone.cli.naming import split_names
from ragstone.metrics.catalogue import names
from ragstone.settings import Settings


def test_the_catalogue_lists_every_metric(ragstone) -> None:
    answer = ragstone("metrics")
    assert answer.code == 0
    for name in names():
        assert name in answer.out
    entries = {entry["name"]: entry for entry in ragstone("metrics", "--json").json}
    assert sorted(entries) == names()
    assert entries["faithfulness"]["reads"] == ["user_input", "response", "retrieved_contexts"]
    assert entries["answer_relevancy"]["tools"] == ["judge", "embedder"]
    assert entries["discrete_metric"]["reads"] is None


@pytest.mark.parametrize("name", names())
def test_every_metric_has_a_page(ragstone, name: str) -> None:
    answer = ragstone("metrics", name)
    assert answer.code == 0
    assert answer.out.startswith(name)
    assert "range" in answer.out


def test_an_unknown_metric_is_misuse(ragstone) -> None:
    answer = ragstone("metrics", "faithfull")
    assert answer.code == 2
    assert "did you mean 'faithfulness'" in answer.err


def test_the_doctor_names_keys_but_never_shows_them(
    ragstone, monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    answer = ragstone("doctor")
    assert answer.code == 0
    assert "OPENAI_API_KEY" in answer.out
    assert "openai/gpt-4o-mini" in answer.out
    assert "secret" not in answer.out
    assert not own_home.exists()


def test_the_doctor_hides_the_password_of_the_database(
    ragstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "postgresql://me:topsecret@db.example.org/runs"
    monkeypatch.setenv("RAGSTONE_DATABASE_URL", url)
    answer = ragstone("doctor")
    assert answer.code == 0
    assert "db.example.org (not contacted)" in answer.out
    assert "topsecret" not in answer.out


def test_the_doctor_looks_at_the_store(ragstone, answers: Path, own_home: Path) -> None:
    assert "made with the first run" in ragstone("doctor").out
    ragstone("evaluate", str(answers), "-m", "exact_match", "--name", "one")
    assert "newest run one" in " ".join(ragstone("doctor").out.split())
    (own_home / "ragstone.db").write_bytes(b"no database" * 1000)
    assert "does not open" in ragstone("doctor").out


@pytest.mark.parametrize(
    "env",
    [
        {"OPENAI_API_KEY": "sk-1"},
        {"GEMINI_API_KEY": "g", "MISTRAL_API_KEY": "m"},
        {"RAGSTONE_JUDGE": "ollama/qwen3"},
        {"RAGSTONE_JUDGE": "local", "OPENAI_API_KEY": "sk-1"},
        {},
    ],
)
def test_the_doctor_names_the_judge_that_would_be_used(
    ragstone, monkeypatch: pytest.MonkeyPatch, env: dict[str, str]
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    judge = choose_judge(None, Settings.from_env(), env)
    name = judge.describe().name if judge else "none"
    (line,) = (one for one in ragstone("doctor").out.splitlines() if one.startswith("judge"))
    assert line.split()[1].rstrip(":") == name


def test_the_cache_is_counted_and_cleared(ragstone, own_home: Path) -> None:
    folder = own_home / "cache"
    assert ragstone("cache", "path").out == f"{folder}\n"
    assert "empty" in ragstone("cache", "stats").out
    assert not own_home.exists()
    with DiskCacheBackend(folder) as cache:
        cache.set("k", {"reply": "v"})
    assert ragstone("cache", "stats").out.startswith("1 answer,")
    assert ragstone("cache", "clear").err == "Forgot 1 answer.\n"
    assert ragstone("cache", "stats").out.startswith("0 answers,")


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["a,b"], ["a", "b"]),
        (["a, b ,", "c"], ["a", "b", "c"]),
        (["a:p=1,q=2,b"], ["a:p=1,q=2", "b"]),
        (["a,b:p=x:y,q=2"], ["a", "b:p=x:y,q=2"]),
        ([], []),
    ],
)
def test_names_are_split_at_commas_but_parameters_stay(texts: list[str], found: list[str]) -> None:
    assert split_names(texts) == found

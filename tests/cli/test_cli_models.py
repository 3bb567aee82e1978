"""`ragstone models`, and which judge is taken when a model is fetched or named."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from ragstone.api import defaults, resume
from ragstone.api.defaults import choose_judge
from ragstone.cli import models as command
from ragstone.errors import UsageError
from ragstone.local.judge import LocalJudge
from ragstone.local_llm import catalogue
from ragstone.local_llm.catalogue import MODELS
from ragstone.local_llm.judge import LocalLLMJudge
from ragstone.settings import Settings

BEST, SECOND = MODELS
pytestmark = pytest.mark.skipif(not defaults.local_installed(), reason="needs the extra local")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of fetched models, where the catalogue's files are 24 bytes long."""
    content = b"GGUF" + bytes(20)
    digest = hashlib.sha256(content).hexdigest()
    small = MappingProxyType(
        {name: replace(model, size=len(content), sha256=digest) for name, model in MODELS.items()}
    )
    for module in (catalogue, command, resume):
        monkeypatch.setattr(module, "MODELS", small)
    found = Settings.from_env().models_dir
    found.mkdir(parents=True)
    return found


def put(folder: Path, name: str) -> Path:
    file = folder / f"{name}.gguf"
    file.write_bytes(b"GGUF" + bytes(20))
    return file


def test_the_list_names_packaged_and_fetched_models(ragstone, folder: Path) -> None:
    put(folder, SECOND)
    out = ragstone("models", "list").out
    assert "embedder: comes with ragstone-models" in out
    (best, second) = (line for line in out.splitlines() if "language model" in line)
    assert best.startswith(BEST)
    assert best.endswith("not fetched")
    assert second.startswith(SECOND)
    assert second.endswith(", fetched")


def test_the_path_is_printed_or_how_to_fetch(ragstone, folder: Path) -> None:
    missing = ragstone("models", "path", BEST)
    assert missing.code == 2
    assert f"ragstone models fetch {BEST}" in missing.err
    assert missing.out == ""
    assert ragstone("models", "path", BEST if put(folder, BEST) else "").out.strip() == str(
        folder / f"{BEST}.gguf"
    )
    assert (Path(ragstone("models", "path", "embedder").out.strip()) / "model.onnx").is_file()
    assert "there are: " in ragstone("models", "path", "qwen").err


def test_a_damaged_model_is_found(ragstone, folder: Path) -> None:
    file = put(folder, BEST)
    assert f"{BEST}: whole" in ragstone("models", "verify").out
    file.write_bytes(b"GGUF" + bytes(19) + b"x")
    broken = ragstone("models", "verify", BEST)
    assert broken.code != 0
    assert "damaged" in broken.err


def test_a_fetch_from_a_folder_says_what_is_missing(ragstone, folder: Path) -> None:
    answer = ragstone("models", "fetch", BEST, "--from", str(folder))
    assert answer.code == 2
    assert "License: Apache-2.0" in answer.err
    assert "lacks 22 of the 22 wheels" in answer.err


def test_the_order_of_judges(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.from_env()
    key = {"OPENAI_API_KEY": "sk-1"}
    assert isinstance(choose_judge(None, settings, {}), LocalJudge)
    put(folder, SECOND)
    assert _name(choose_judge(None, settings, {})) == f"local-llm/{SECOND}.gguf"
    put(folder, BEST)
    assert _name(choose_judge(None, settings, {})) == f"local-llm/{BEST}.gguf"
    monkeypatch.setenv("OPENAI_API_KEY", key["OPENAI_API_KEY"])
    assert _name(choose_judge(None, settings, key)) == "openai/gpt-4o-mini"
    named = replace(settings, judge="local-llm")
    assert _name(choose_judge(None, named, key)) == f"local-llm/{BEST}.gguf"
    assert isinstance(choose_judge("local", named, key), LocalJudge)


def test_a_file_is_a_judge_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "Own.GGUF"
    file.write_bytes(b"GGUF" + bytes(20))
    judge = choose_judge(str(file), Settings.from_env(), {})
    assert isinstance(judge, LocalLLMJudge)
    assert judge.describe().name == "local-llm/Own.GGUF"
    with pytest.raises(UsageError, match=r"none\.gguf"):
        choose_judge(str(tmp_path / "none.gguf"), Settings.from_env(), {})


def test_without_a_fetched_model_local_llm_says_how_to_get_one() -> None:
    with pytest.raises(UsageError, match=f"ragstone models fetch {BEST}"):
        choose_judge("local-llm", Settings.from_env(), {})


def test_the_doctor_shows_the_tier(ragstone, folder: Path) -> None:
    assert "none fetched" in ragstone("doctor").out
    put(folder, BEST)
    out = ragstone("doctor").out
    assert f"{BEST}.gguf" in out.replace("\n", "").replace(" ", "")
    (line,) = (one for one in out.splitlines() if one.startswith("judge"))
    assert line.split()[1] == "local-llm"


def test_a_run_is_resumed_with_the_model_that_began_it(folder: Path) -> None:
    put(folder, SECOND)
    settings = Settings.from_env()
    began = LocalLLMJudge(folder=folder, threads=1, context=1024).describe()
    put(folder, BEST)
    again = resume._same_judge(began, settings)
    assert again is not None
    assert again.describe() == began
    assert resume._same_judge(replace(began, name="local-llm/own.gguf"), settings) is None


def _name(judge: object) -> str:
    assert judge is not None
    return judge.describe().name  # type: ignore[attr-defined, no-any-return]

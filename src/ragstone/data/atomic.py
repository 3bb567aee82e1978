"""A file that appears whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ragstone.errors import UsageError

__all__ = ["new_file"]


@contextmanager
def new_file(path: Path, overwrite: bool) -> Iterator[IO[bytes]]:
    """A file to write, which gets its name when the block ends without an error.

    A reader, or a crash, never meets half a file. Raises UsageError when the name is taken and
    `overwrite` is false, also when another process takes it meanwhile.
    """
    final = Path(os.path.realpath(path))  # through a link to the file that it names
    _check(final, overwrite)
    draft = final.with_name(f".{final.name[:100]}.{uuid.uuid4().hex}.part")
    try:
        with draft.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, final, overwrite)
    finally:
        draft.unlink(missing_ok=True)


def _check(final: Path, overwrite: bool) -> None:
    if final.is_dir():
        raise UsageError(f"{str(final)!r} is a folder; name a file in it")
    if not final.parent.is_dir():
        raise UsageError(f"the folder {str(final.parent)!r} does not exist; make it first")
    if final.exists() and not overwrite:
        raise _taken(final)


def _publish(draft: Path, final: Path, overwrite: bool) -> None:
    if not overwrite:
        try:
            os.link(draft, final)
        except FileExistsError:
            raise _taken(final) from None
        except OSError:  # a file system without hard links
            _check(final, overwrite)
        else:
            return
    draft.replace(final)


def _taken(final: Path) -> UsageError:
    return UsageError(f"{str(final)!r} exists; choose another name, or pass overwrite=True")

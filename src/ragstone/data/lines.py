"""The lines of a UTF-8 text file, packed with gzip or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from ragstone.errors import BadDataset

__all__ = ["lines", "open_binary"]

_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def open_binary(path: Path, gzipped: bool) -> BinaryIO:
    """The file, open for reading. Raises BadDataset when there is none to read."""
    if path.is_dir():
        raise BadDataset(f"{str(path)!r} is a folder; name a file in it")
    try:
        return cast(BinaryIO, gzip.open(path, "rb")) if gzipped else path.open("rb")
    except FileNotFoundError:
        raise BadDataset(f"{str(path)!r} does not exist (seen from {str(Path.cwd())!r})") from None
    except OSError as error:
        raise BadDataset(f"{str(path)!r} cannot be read: {error.strerror}") from error


def lines(path: Path, gzipped: bool = False) -> Iterator[str]:
    """Each line with its end; a leading byte order mark is left out.

    Lines end at a line feed only, so that line numbers are those of an editor and no other Unicode
    separator cuts a value. Raises BadDataset naming line and byte where the text is not UTF-8.
    """
    offset = 0
    with open_binary(path, gzipped) as file:
        for number, raw in enumerate(_raw_lines(file, path), start=1):
            data = raw
            if number == 1:
                _refuse_utf16(raw, path)
                data = raw.removeprefix(_MARK)
            try:
                yield data.decode("utf-8")
            except UnicodeDecodeError as error:
                at = offset + len(raw) - len(data) + error.start
                raise BadDataset(_not_utf8(path, number, at, data[error.start])) from None
            offset += len(raw)


def _raw_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    try:
        yield from file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadDataset(f"{str(path)!r} is no whole gzip file: {error}") from None


def _refuse_utf16(raw: bytes, path: Path) -> None:
    if raw.startswith(_UTF16_MARKS):
        raise BadDataset(
            f"{str(path)!r}, line 1, byte 0: the file is UTF-16; save it as UTF-8, for example "
            "with: iconv -f UTF-16 -t UTF-8"
        )


def _not_utf8(path: Path, number: int, offset: int, byte: int) -> str:
    return (
        f"{str(path)!r}, line {number}, byte {offset}: the byte 0x{byte:02x} is not UTF-8; save "
        "the file as UTF-8, for example with: iconv -f WINDOWS-1252 -t UTF-8"
    )

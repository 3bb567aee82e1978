"""JSON Lines: one JSON object a line; and JSON files that hold one array of objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from ragstone.data.lines import lines
from ragstone.data.rows import checked, row_of
from ragstone.errors import BadDataset
from ragstone.schema.samples import Sample

__all__ = ["read_array", "read_rows", "write_array", "write_samples"]


def read_rows(path: Path, gzipped: bool) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its line number; blank lines are skipped. Raises BadDataset."""
    for number, line in enumerate(lines(path, gzipped), start=1):
        if line.isspace():
            continue
        row = _decoded(line.rstrip(), f"{str(path)!r}, line {number}")
        if not isinstance(row, dict):
            raise BadDataset(
                f"{str(path)!r}, line {number}: a line holds one JSON object, not "
                f"{_kind(row)}; a file that is one array is named .json"
            )
        yield number, row


def read_array(path: Path, gzipped: bool) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object of the file's one array with its index. The file is held in memory."""
    text = "".join(lines(path, gzipped))
    if not text.strip():
        return
    array = _decoded(text, f"{str(path)!r}")
    if not isinstance(array, list):
        raise BadDataset(
            f"{str(path)!r}: a JSON file holds one array of objects, not {_kind(array)}; a file "
            "with an object on each line is named .jsonl"
        )
    for index, row in enumerate(array):
        if not isinstance(row, dict):
            raise BadDataset(f"{str(path)!r}, item {index}: not an object but {_kind(row)}")
        yield index, row


def write_samples(file: IO[bytes], samples: Sequence[Sample]) -> None:
    """Write one line a sample. Raises BadDataset for values without a form."""
    for line in checked(samples, _encoded):
        file.write(line + b"\n")


def write_array(file: IO[bytes], samples: Sequence[Sample]) -> None:
    """Write one array with one line a sample. Raises BadDataset for values without a form."""
    for index, line in enumerate(checked(samples, _encoded)):
        file.write((b",\n" if index else b"[\n") + line)
    file.write(b"\n]\n")


def _encoded(sample: Sample) -> bytes:
    return json.dumps(row_of(sample), ensure_ascii=False, allow_nan=False).encode()


def _decoded(text: str, where: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = f", line {error.lineno}" if error.lineno > 1 else ""
        raise BadDataset(f"{where}{at}, character {error.colno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise BadDataset(f"{where}: nested too deeply") from None
    except ValueError as error:
        raise BadDataset(f"{where}: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "an array", str: "a text", type(None): "null"}
    return kinds.get(type(value), "a number or a truth value")

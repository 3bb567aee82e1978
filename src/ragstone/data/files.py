"""Files of samples: the format by the name, reading row by row, writing whole."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast, get_args

from ragstone.data import csv, jsonl, parquet
from ragstone.data.atomic import new_file
from ragstone.data.rows import RowReader
from ragstone.errors import BadDataset, UsageError
from ragstone.schema.samples import Sample

__all__ = ["FileFormat", "iter_samples", "write_samples"]

FileFormat = Literal["csv", "tsv", "jsonl", "json", "parquet"]
"""The formats that can be read and written; gzip around the first four by the ending .gz."""

_SUFFIXES: dict[str, FileFormat] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
}
_UNITS = {"csv": "line", "tsv": "line", "jsonl": "line", "json": "item", "parquet": "row"}


class _Form(NamedTuple):
    name: FileFormat
    gzipped: bool


def iter_samples(
    path: str | os.PathLike[str],
    *,
    column_map: Mapping[str, str] | None = None,
    format: FileFormat | None = None,
) -> Iterator[Sample]:
    """The samples of a file one after the other, in flat memory (but for .json).

    The format follows from the ending of the name unless it is given. `column_map` maps a field
    to the file's column. Raises BadDataset naming file, line and column, at the latest at the end
    when there was no row; MissingExtra for Parquet without its extra.
    """
    file = Path(path)
    form = _form(file, format)
    reader = RowReader(column_map)
    number = None
    for number, row in _rows(file, form):
        yield reader.sample(row, f"{str(file)!r}, {_UNITS[form.name]} {number}")
    if number is None:
        what = "is empty" if file.stat().st_size == 0 else "has no rows"
        raise BadDataset(f"{str(file)!r} {what}; at least one row is needed")
    reader.finish()


def write_samples(
    samples: Sequence[Sample],
    path: str | os.PathLike[str],
    *,
    format: FileFormat | None = None,
    overwrite: bool = False,
) -> None:
    """Write a file that reads back as the same samples, whole or not at all.

    Raises UsageError when the file exists and `overwrite` is false, BadDataset for no samples or
    for values that the format cannot hold.
    """
    file = Path(path)
    form = _form(file, format)
    if not samples:
        raise BadDataset(f"no samples to write to {str(file)!r}")
    with new_file(file, overwrite) as out:
        if form.gzipped:
            # No name and no time inside, so that equal data make equal files.
            with gzip.GzipFile(filename="", fileobj=out, mode="wb", mtime=0) as packed:
                _write(cast(IO[bytes], packed), samples, form.name)
        else:
            _write(out, samples, form.name)


def _form(path: Path, format: FileFormat | None) -> _Form:
    gzipped = path.suffix.lower() == ".gz"
    suffix = Path(path.stem).suffix if gzipped else path.suffix
    name = format or _SUFFIXES.get(suffix.lower())
    if name is None:
        raise UsageError(
            f"{str(path)!r} ends in none of {', '.join(_SUFFIXES)} (or one of them and .gz); "
            f"say format=, one of {', '.join(get_args(FileFormat))}"
        )
    if name not in get_args(FileFormat):
        raise UsageError(f"no format {name!r}; formats: {', '.join(get_args(FileFormat))}")
    if name == "parquet" and gzipped:
        raise UsageError(f"{str(path)!r}: Parquet is packed inside; unpack the .gz first")
    return _Form(name, gzipped)


def _rows(path: Path, form: _Form) -> Iterator[tuple[int, dict[str, Any]]]:
    if form.name == "parquet":
        return parquet.read_rows(path)
    if form.name == "jsonl":
        return jsonl.read_rows(path, form.gzipped)
    if form.name == "json":
        return jsonl.read_array(path, form.gzipped)
    return csv.read_rows(path, _delimiter(form.name), form.gzipped)


def _write(file: IO[bytes], samples: Sequence[Sample], name: FileFormat) -> None:
    if name == "parquet":
        parquet.write_samples(file, samples)
    elif name == "jsonl":
        jsonl.write_samples(file, samples)
    elif name == "json":
        jsonl.write_array(file, samples)
    else:
        csv.write_samples(file, samples, _delimiter(name))


def _delimiter(name: FileFormat) -> str:
    return "\t" if name == "tsv" else ","

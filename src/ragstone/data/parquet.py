"""Parquet files and Arrow tables (the extra "data")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ragstone.data.cells import header, reads_back, text_cell, text_columns
from ragstone.data.rows import checked, values_of
from ragstone.errors import BadDataset, MissingExtra
from ragstone.schema.samples import Sample

if TYPE_CHECKING:
    import pyarrow

__all__ = ["arrow_batches", "read_rows", "write_samples"]

_BATCH = 1_000  # rows in memory at a time when reading
_GROUP = 10_000  # rows of a row group when writing


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its number from 0, read in batches. Raises BadDataset, MissingExtra."""
    arrow = _arrow()
    from pyarrow import parquet

    if path.is_dir():
        raise BadDataset(f"{str(path)!r} is a folder; name a file in it")
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            _check_names(names, path)
            number = 0
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    yield number, row
                    number += 1
    except FileNotFoundError:
        raise BadDataset(f"{str(path)!r} does not exist (seen from {str(Path.cwd())!r})") from None
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadDataset(f"{str(path)!r} cannot be read as Parquet: {error}") from error


def write_samples(file: IO[bytes], samples: Sequence[Sample]) -> None:
    """Write the samples in groups. Raises BadDataset, MissingExtra."""
    _arrow()
    from pyarrow import parquet

    batches = arrow_batches(samples)
    first = next(batches)
    with parquet.ParquetWriter(file, first.schema, compression="zstd") as writer:
        writer.write_batch(first)
        for batch in batches:
            writer.write_batch(batch)


def arrow_batches(samples: Sequence[Sample]) -> Iterator[pyarrow.RecordBatch]:
    """The samples as Arrow record batches of one schema.

    A column whose values are all of one simple type (text, truth values, whole numbers, numbers,
    lists of texts) has that type; every other column is text as in CSV.
    """
    arrow = _arrow()
    kinds = _kinds(samples)
    texts = {c: kinds.get(c) is None and marked for c, marked in text_columns(samples).items()}
    types = {
        "text": arrow.string(),
        "truth": arrow.bool_(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "texts": arrow.list_(arrow.string()),
    }
    schema = arrow.schema(
        [(header(c, marked), types[kinds.get(c) or "text"]) for c, marked in texts.items()]
    )
    rows = iter(checked(samples, values_of))
    while group := list(islice(rows, _GROUP)):
        arrays = [
            arrow.array([_cell(row.get(c), kinds.get(c), marked) for row in group], field.type)
            for (c, marked), field in zip(texts.items(), schema, strict=True)
        ]
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _kinds(samples: Sequence[Sample]) -> dict[str, str | None]:
    """The simple type of each column, None where it has none."""
    kinds: dict[str, str | None] = {}
    for row in checked(samples, values_of):
        for column, value in row.items():
            kind = _kind(column, value)
            kinds[column] = kind if kinds.get(column, kind) == kind else None
    return kinds


def _kind(column: str, value: Any) -> str | None:
    if isinstance(value, str):
        return "text" if value == "" or reads_back(column, value, value) else None
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "whole" if -(2**63) <= value < 2**63 else None
    if isinstance(value, float):
        return "number"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "texts"
    return None


def _cell(value: Any, kind: str | None, marked: bool) -> Any:
    if kind is not None or value is None:
        return value
    return text_cell(value, marked)


def _check_names(names: list[str], path: Path) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadDataset(f"{str(path)!r}: the column {name!r} occurs twice")


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("Parquet", "data") from None
    return pyarrow

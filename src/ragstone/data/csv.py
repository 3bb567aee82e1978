"""CSV and TSV files.

The dialect is RFC 4180: a comma (or a tab), quotes doubled, lines that end in CR LF. Cells are
written as they are: text that a spreadsheet would take for a formula is not changed.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Protocol

from ragstone.data.cells import header, text_cell, text_columns
from ragstone.data.lines import lines
from ragstone.data.rows import checked, values_of
from ragstone.errors import BadDataset
from ragstone.schema.samples import Sample


class _Table(Protocol):
    line_num: int

    def __iter__(self) -> Iterator[list[str]]: ...


__all__ = ["read_rows", "write_samples"]

_LONGEST_CELL = 2**31 - 1  # characters; what the csv module can count on every platform


def read_rows(
    path: Path, delimiter: str, gzipped: bool
) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Each row with the number of the line on which it begins; an empty cell is None.

    Raises BadDataset.
    """
    # The limit belongs to the process; the default of 131,072 refuses one long context.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    table = csv.reader(lines(path, gzipped), delimiter=delimiter, strict=True)
    records = _records(table, path)
    names: list[str] | None = None
    for number, cells in records:
        if names is None:
            names = _names(cells, delimiter, f"{str(path)!r}, line {number}")
            continue
        if len(cells) != len(names):
            raise BadDataset(
                f"{str(path)!r}, line {number}: {len(cells)} cells, but the header has "
                f"{len(names)}; put a cell that holds {delimiter!r} or a line break in quotes"
            )
        yield number, dict(zip(names, (cell or None for cell in cells), strict=True))


def _records(table: _Table, path: Path) -> Iterator[tuple[int, list[str]]]:
    number = 1
    try:
        for cells in table:
            if cells:
                yield number, cells
            number = table.line_num + 1
    except csv.Error as error:
        raise BadDataset(
            f"{str(path)!r}, line {number}: not a CSV row ({error}); the row may begin there with "
            "a quote that is never closed"
        ) from None


def _names(cells: list[str], delimiter: str, where: str) -> list[str]:
    """The column names; an unnamed one, such as the index that pandas writes, gets a number."""
    if len(cells) == 1 and delimiter == "," and any(mark in cells[0] for mark in ";\t"):
        raise BadDataset(
            f"{where}: one column only, {cells[0]!r}; the cells seem to be separated by another "
            "mark: save the file with commas, or name it .tsv if they are tabs"
        )
    names = [cell.strip() or f"column_{n}" for n, cell in enumerate(cells, start=1)]
    for name in names:
        if names.count(name) > 1:
            raise BadDataset(f"{where}: the column {name!r} occurs twice")
    return names


def write_samples(file: IO[bytes], samples: Sequence[Sample], delimiter: str) -> None:
    """Write a header and one row a sample. Raises BadDataset for values without a form."""
    columns = text_columns(samples)
    table = csv.writer(codecs.getwriter("utf-8")(file), delimiter=delimiter, lineterminator="\r\n")
    table.writerow(header(column, marked) for column, marked in columns.items())
    for row in checked(samples, values_of):
        table.writerow(text_cell(row.get(c), marked) for c, marked in columns.items())

"""Two tables in CSV, compared cell by cell by datacompy."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.errors import MissingExtra

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Comparison", "NoTable", "Table", "compare", "read_table"]


_LONGEST_CELL = 2**31 - 1  # the module's limit is the process's: no score may depend on who set it


class NoTable(ValueError):
    """A text that is no table; the message says why."""


@dataclass(frozen=True)
class Table:
    """A table: the names of its columns without case, and its rows."""

    columns: tuple[str, ...]
    frame: DataFrame

    @property
    def rows(self) -> int:
        """The number of rows, the header aside."""
        return len(self.frame)


@dataclass(frozen=True)
class Comparison:
    """What two tables have in common.

    `rows` counts the pairs of rows that are equal in all common columns. `differing` tells, for
    pairs that are not, which columns differ, by the row's number in the response. `columns` says of
    each common column whether it is equal in all pairs.
    """

    pairs: int
    rows: int
    columns: Mapping[str, bool]
    differing: Mapping[int, Sequence[str]]


def read_table(text: str) -> Table:
    """The table that a CSV text holds, its first line naming the columns.

    Raises NoTable when the rows are of unequal length or two columns have one name, MissingExtra.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    try:
        lines = [line for line in csv.reader(io.StringIO(text), strict=True) if line]
    except csv.Error as error:
        raise NoTable(f"it is no CSV: {error}") from None
    if not lines:
        raise NoTable("it has no header")
    names = tuple(name.strip().lower() for name in lines[0])
    if len(set(names)) < len(names):
        raise NoTable("two columns have one name")
    for number, line in enumerate(lines[1:], start=1):
        if len(line) != len(names):
            raise NoTable(f"row {number} has {len(line)} cells, the header {len(names)}")
    try:
        from pandas import read_csv
    except ImportError:
        raise MissingExtra("comparing tables", "sql") from None
    whole = io.StringIO(text)
    frame = read_csv(whole, header=0, names=list(names), index_col=False, low_memory=False)
    return Table(names, frame)


def compare(response: Table, reference: Table, on: Sequence[str] = ()) -> Comparison:
    """Pair the rows of two tables by the columns `on`, or by position, and compare the pairs."""
    try:
        from datacompy import PandasCompare
    except ImportError:
        raise MissingExtra("comparing tables", "sql") from None
    common = [name for name in response.columns if name in reference.columns]
    plain = {name: f"c{n}" for n, name in enumerate(common)}  # names that clash with no suffix
    ours, theirs = (table.frame[common].rename(columns=plain) for table in (response, reference))
    ours["row"] = range(1, len(ours) + 1)
    keys = {"join_columns": [plain[name] for name in on]} if on else {"on_index": True}
    found = PandasCompare(ours, theirs, **keys)
    paired = found.intersect_rows
    equal = {
        name: [True] * len(paired) if name in on else paired[f"{short}_match"].tolist()
        for name, short in plain.items()
    }
    differing: dict[int, list[str]] = {}
    for place, row in enumerate(paired["row"].tolist()):
        if wrong := [name for name in common if not equal[name][place]]:
            differing[int(row)] = wrong
    pairs = len(paired)
    same = pairs - len(differing) if common else 0
    return Comparison(pairs, same, {name: all(equal[name]) for name in common}, differing)

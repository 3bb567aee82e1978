"""The store: runs, samples and cells in and out."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar, get_args

from sqlalchemy import Connection, Engine, Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ragstone.errors import UsageError
from ragstone.schema.cells import Cell, CellKey
from ragstone.schema.runs import Run, RunState
from ragstone.schema.samples import Sample
from ragstone.store import rows, tables
from ragstone.store.faults import store_errors
from ragstone.store.finding import NEWEST_FIRST, find_run
from ragstone.store.lease import STALE_SECONDS, keep_lease, release_lease, take_lease
from ragstone.store.reading import readable
from ragstone.store.storable import storable_row

__all__ = ["Store"]

_T = TypeVar("_T")
_BATCH = 500  # rows that are sent to the database at once
_FETCH = 100  # rows that are held in memory while reading


class _Place(NamedTuple):
    """Where the cells of a run stand: the run's number, and the position of each metric."""

    number: int
    positions: dict[str, int]


class Store:
    """The runs in one database; made by `open_store`.

    Methods may be called from several threads, and several processes may use one database. `where`
    names the database, without its password. Every method raises StoreError when the database
    fails. A `run_id` is a whole id; an unknown one is a UsageError.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self.where = where
        self._engine = engine
        self._writing = engine.execution_options(ragstone_write=True)
        self._upsert = tables.upsert_cells(engine.dialect.name)
        self._places: dict[str, _Place] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def add_run(self, run: Run, samples: Iterable[Sample]) -> None:
        """Store a run and its samples, in their order, all or nothing.

        Raises UsageError when the id is taken, two metrics have one key, or the samples are not
        `run.n_rows`.
        """
        if len({info.key for info in run.metrics}) < len(run.metrics):
            raise UsageError(f"two metrics of the run {run.id!r} have the same key")
        with store_errors(self.where), self._writing.begin() as connection:
            number = self._insert_run(connection, run)
            if run.metrics:
                metric_rows = rows.metric_rows(number, run.metrics)
                connection.execute(insert(tables.metric), metric_rows)
            count = _insert_samples(connection, number, samples)
            if count != run.n_rows:
                raise UsageError(
                    f"the run {run.id!r} has n_rows={run.n_rows}, but {count} samples were given"
                )

    def _insert_run(self, connection: Connection, run: Run) -> int:
        try:
            added = connection.execute(insert(tables.run).values(rows.run_row(run)))
        except IntegrityError as error:
            raise UsageError(f"there is a run {run.id!r} already") from error
        key = added.inserted_primary_key
        assert key is not None  # a single insert always has one
        return int(key[0])

    def set_state(
        self,
        run_id: str,
        state: RunState,
        stopped_by: str | None = None,
        seconds: float | None = None,
        finished: datetime | None = None,
    ) -> None:
        """Say how far a run is; `seconds` None leaves it as it was, the others are set as given."""
        if state not in get_args(RunState):
            raise UsageError(f"{state!r} is no state of a run; use one of {get_args(RunState)}")
        values: dict[str, Any] = {"state": state, "stopped_by": stopped_by, "finished": finished}
        if seconds is not None:
            values["seconds"] = seconds
        change = update(tables.run).where(tables.run.c.id == run_id).values(values)
        with store_errors(self.where), self._writing.begin() as connection:
            if not connection.execute(change).rowcount:
                raise UsageError(f"there is no run {run_id!r}")

    def take(self, run_id: str, owner: str, ttl: float = STALE_SECONDS) -> bool:
        """Become the one that measures a run; True when `owner` now holds it.

        `owner` comes from `lease.new_owner()`, one for every taker. A run is free when nobody holds
        it, when its holder gave no heartbeat for `ttl` seconds, or at once when the holder was a
        process of this machine that has ended. Who holds it already takes it again. Of several that
        take at the same moment, one gets True.
        """
        with store_errors(self.where), self._writing.begin() as connection:
            return take_lease(connection, run_id, owner, ttl)

    def keep(self, run_id: str, owner: str) -> bool:
        """Give a heartbeat: say every few seconds that `owner` still measures the run.

        False when it no longer holds the run, for another took it over: then it must stop.
        """
        with store_errors(self.where), self._writing.begin() as connection:
            return keep_lease(connection, run_id, owner)

    def release(self, run_id: str, owner: str) -> None:
        """Let go of a run; does nothing when `owner` does not hold it."""
        with store_errors(self.where), self._writing.begin() as connection:
            release_lease(connection, run_id, owner)

    def delete_run(self, run_id: str) -> None:
        """Delete a run with its samples and cells."""
        self._places.pop(run_id, None)
        with store_errors(self.where), self._writing.begin() as connection:
            gone = connection.execute(delete(tables.run).where(tables.run.c.id == run_id))
            if not gone.rowcount:
                raise UsageError(f"there is no run {run_id!r}")

    def add_cells(self, run_id: str, cells: Sequence[Cell]) -> None:
        """Store cells in one transaction: when this returns, all of them survive a crash.

        A cell that is there already is replaced if it failed, and kept if it is finished. A cell
        that the database cannot hold is stored as failed, with the code "not_storable".
        """
        if not cells:
            return
        place = self._places.get(run_id) or self._place(run_id)
        encoded = [
            storable_row(place.number, _position(place, run_id, cell.metric), cell)
            for cell in cells
        ]
        with store_errors(self.where):
            try:
                with self._writing.begin() as connection:
                    connection.execute(self._upsert, encoded)
            except IntegrityError as error:
                self._places.pop(run_id, None)
                raise UsageError(f"the run {run_id!r} is no longer in the store") from error

    def finished_cells(self, run_id: str) -> set[CellKey]:
        """The cells that a resumed run leaves out: scored or honestly unscored, not failed."""
        place, cell = self._place(run_id), tables.cell
        query = select(cell.c.row, cell.c.metric).where(
            cell.c.run == place.number, cell.c.status != "failed"
        )
        keys = list(place.positions)
        return {CellKey(found.row, keys[found.metric]) for found in self._stream(query)}

    def run(self, ref: str) -> Run:
        """The run that `ref` means: its id or the start of it, its name, or "latest" ("last").

        Raises UsageError, with the runs that come close, when that is none or more than one.
        """
        with store_errors(self.where), self._engine.connect() as connection:
            row = find_run(connection, ref)
            query = select(tables.metric).where(tables.metric.c.run == row.number)
            found = connection.execute(query.order_by(tables.metric.c.position)).all()
        return self._read_run(row, found)

    def runs(self, *, limit: int | None = None, name: str | None = None) -> list[Run]:
        """The runs, newest first: at most `limit` of them, or only those of that name."""
        if name is not None and not isinstance(name, str):
            raise UsageError(f"a run is named by a string, not {name!r}")
        if limit is not None and limit < 0:
            raise UsageError(f"limit must be 0 or more, not {limit!r}")
        table, metric = tables.run, tables.metric
        query = select(table).order_by(*NEWEST_FIRST).limit(limit)
        if name is not None:
            query = query.where(table.c.name == name)
        with store_errors(self.where), self._engine.connect() as connection:
            found = connection.execute(query).all()
            numbers = [row.number for row in found] or [0]
            infos = select(metric).where(metric.c.run.between(min(numbers), max(numbers)))
            metric_rows = connection.execute(infos.order_by(metric.c.position)).all()
        metrics: defaultdict[int, list[Row[Any]]] = defaultdict(list)
        for row in metric_rows:
            metrics[row.run].append(row)
        return [self._read_run(row, metrics[row.number]) for row in found]

    def cells(self, run_id: str, *, metric: str | None = None) -> Iterator[Cell]:
        """The cells of a run by row, then in the order of its metrics; or those of one metric."""
        place, cell = self._place(run_id), tables.cell
        query = select(cell).where(cell.c.run == place.number)
        if metric is not None:
            query = query.where(cell.c.metric == _position(place, run_id, metric))
        keys = list(place.positions)
        found = self._stream(query.order_by(cell.c.row, cell.c.metric))
        return self._decoded(
            run_id,
            found,
            lambda row: f"the cell of row {row.row} and metric {keys[row.metric]!r}",
            lambda row: rows.cell_from(row, keys[row.metric]),
        )

    def samples(self, run_id: str) -> Iterator[Sample]:
        """The samples of a run, in the order of its dataset."""
        place, sample = self._place(run_id), tables.sample
        query = select(sample.c.row, sample.c.detail).where(sample.c.run == place.number)
        return self._decoded(
            run_id,
            self._stream(query.order_by(sample.c.row)),
            lambda row: f"the sample of row {row.row}",
            lambda row: rows.sample_from(row.detail),
        )

    def _decoded(
        self,
        run_id: str,
        found: Iterator[Row[Any]],
        part: Callable[[Row[Any]], str],
        decode: Callable[[Row[Any]], _T],
    ) -> Iterator[_T]:
        for row in found:
            with readable(self.where, run_id, part(row)):
                made = decode(row)
            yield made

    def _read_run(self, row: Row[Any], metric_rows: Sequence[Row[Any]]) -> Run:
        with readable(self.where, row.id, "the record"):
            return rows.run_from(row, [rows.metric_from(each) for each in metric_rows])

    def _stream(self, query: Select[Any]) -> Iterator[Row[Any]]:
        with store_errors(self.where), self._engine.connect() as connection:
            reading = connection.execution_options(yield_per=_FETCH)
            with reading.execute(query) as found:  # closed also when the reader stops half-way
                yield from found

    def _place(self, run_id: str) -> _Place:
        run, metric = tables.run, tables.metric
        query = (
            select(run.c.number, metric.c.key)
            .outerjoin(metric, metric.c.run == run.c.number)
            .where(run.c.id == run_id)
            .order_by(metric.c.position)
        )
        with store_errors(self.where), self._engine.connect() as connection:
            found = connection.execute(query).all()
        if not found:
            raise UsageError(f"there is no run {run_id!r}")
        keys = [row.key for row in found if row.key is not None]
        place = _Place(found[0].number, {key: position for position, key in enumerate(keys)})
        self._places[run_id] = place
        return place


def _insert_samples(connection: Connection, number: int, samples: Iterable[Sample]) -> int:
    count = 0
    numbered = enumerate(samples)
    while batch := list(itertools.islice(numbered, _BATCH)):
        count += len(batch)
        connection.execute(
            insert(tables.sample),
            [
                {"run": number, "row": row, "detail": rows.sample_text(sample)}
                for row, sample in batch
            ],
        )
    return count


def _position(place: _Place, run_id: str, metric: str) -> int:
    try:
        return place.positions[metric]
    except KeyError:
        known = ", ".join(map(repr, place.positions)) or "none"
        raise UsageError(
            f"the run {run_id!r} has no metric {metric!r}; its metrics: {known}"
        ) from None

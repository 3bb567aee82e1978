"""Rows to samples, and samples to rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from ragstone.data.columns import FIELDS, JSON_MARK, METADATA, Columns, Place, is_free_name
from ragstone.data.fields import field_value
from ragstone.data.plain import plain
from ragstone.errors import BadDataset
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample

__all__ = ["RowReader", "check_kind", "checked", "parts_of", "row_of", "values_of"]

Form = TypeVar("Form")


class RowReader:
    """Reads the rows of one data set as samples, and checks what only the whole set can show."""

    def __init__(self, column_map: Mapping[str, str] | None = None) -> None:
        self._columns = Columns(column_map)
        self._first: tuple[Sample, str] | None = None

    def sample(self, row: Mapping[str, Any], where: str) -> Sample:
        """The sample in a row; `where` names the row in errors. Raises BadDataset."""
        if not isinstance(row, Mapping):
            raise BadDataset(f"{where}: a row maps columns to values, got {type(row).__name__!r}")
        try:
            places = self._columns.places(tuple(row))
        except BadDataset as error:
            raise BadDataset(f"{where}: {error}") from None
        sample = _sample(row, places, where)
        self.keep(sample, where)
        return sample

    def keep(self, sample: Sample, where: str) -> None:
        """Check that a sample is of the same kind as those before it. Raises BadDataset."""
        if self._first is None:
            self._first = sample, where
        check_kind(sample, where, *self._first)

    def finish(self) -> None:
        """Raise BadDataset when column_map names a column that no row had."""
        self._columns.check_mapped()


def check_kind(sample: Sample, where: str, first: Sample, first_where: str) -> None:
    """Raise BadDataset unless both samples are single-turn, or both multi-turn."""
    if type(sample) is not type(first):
        raise BadDataset(
            f"{where} is {_kind(sample)}, but {first_where} is {_kind(first)}; a data set holds "
            "one kind only: split it in two (a list of messages as user_input makes a sample "
            "multi-turn)"
        )


def _kind(sample: Sample) -> str:
    return "multi-turn" if isinstance(sample, MultiTurnSample) else "single-turn"


def _sample(row: Mapping[str, Any], places: tuple[Place, ...], where: str) -> Sample:
    values: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    nested: dict[str, Any] = {}
    for place in places:
        value = _value(row[place.key], place, where)
        if value is None:
            continue
        if place.field == METADATA and isinstance(value, dict):
            nested = _present(value)
            continue
        into, name = (
            (extra, place.column) if place.field in (None, METADATA) else (values, place.field)
        )
        if name in into:  # the column, and the same one marked as JSON
            raise BadDataset(f"{where}: the column {place.column!r} has two values")
        into[name] = value
    model = MultiTurnSample if isinstance(values.get("user_input"), list) else SingleTurnSample
    for field in values.keys() - model.model_fields.keys():
        extra[field] = values.pop(field)
    if both := extra.keys() & nested.keys():
        raise BadDataset(f"{where}: {min(both)!r} is both a column and a key in {METADATA!r}")
    try:
        return model(**values, metadata=(extra | nested) or None)
    except ValidationError as error:
        raise BadDataset(_explain(error, places, where)) from None


def _value(value: Any, place: Place, where: str) -> Any:
    try:
        found = plain(value)
        if place.is_json:
            return plain(_json(found))
        if place.field is None:
            return found
        taken = field_value(place.field, found, place.column)
        # Text that was decoded is foreign again: it may hold NaN or half a character.
        return found if taken is found else plain(taken)
    except RecursionError:
        raise BadDataset(f"{where}, column {place.column!r}: nested too deeply") from None
    except ValueError as error:
        raise BadDataset(f"{where}, column {place.column!r}: {error}") from None


def _json(value: Any) -> Any:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ValueError(f"a column whose name ends in {JSON_MARK!r} holds JSON text")
    return json.loads(value)


def _explain(error: ValidationError, places: tuple[Place, ...], where: str) -> str:
    problems = error.errors(include_url=False)
    first = problems[0]
    location = [str(part) for part in first["loc"]]
    column = next((p.column for p in places if p.field == location[0]), location[0])
    path = ".".join(location)
    at = f"column {column!r}" + (f" ({path})" if path != column else "")
    found = repr(first["input"])
    found = found if len(found) <= 80 else found[:80] + "…"
    more = f" (and {len(problems) - 1} more problems in this row)" if len(problems) > 1 else ""
    return f"{where}, {at}: {first['msg']}, got {found}{more}"


def parts_of(sample: Sample) -> tuple[dict[str, Any], dict[str, Any]]:
    """The plain values of the fields and of the metadata, empty ones left out.

    Raises ValueError for values that JSON cannot hold.
    """
    own = type(sample).model_fields
    fields = {field: plain(getattr(sample, field)) for field in FIELDS if field in own}
    return _present(fields), _present(plain(sample.metadata) or {})


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def values_of(sample: Sample) -> dict[str, Any]:
    """The plain values of a sample by column, fields first; empty ones are left out.

    Metadata whose name would be taken for something else on reading goes into one column,
    "metadata". Raises ValueError for values that JSON cannot hold.
    """
    row, metadata = parts_of(sample)
    nested = {key: item for key, item in metadata.items() if not is_free_name(key)}
    row |= {key: item for key, item in metadata.items() if key not in nested}
    return row | {METADATA: nested} if nested else row


def row_of(sample: Sample) -> dict[str, Any]:
    """The sample as a row that reads back as the same sample."""
    row = values_of(sample)
    said = row.get("user_input")
    if isinstance(said, str) and not isinstance(field_value("user_input", said), str):
        # Text that looks like a conversation would come back as one.
        marked = {"user_input" + JSON_MARK: json.dumps(said, ensure_ascii=False)}
        return marked | {key: value for key, value in row.items() if key != "user_input"}
    return row


def checked(samples: Iterable[Sample], form: Callable[[Sample], Form]) -> Iterator[Form]:
    """The form of each sample. Raises BadDataset naming the row (from 0) that has none."""
    for index, sample in enumerate(samples):
        try:
            yield form(sample)
        except RecursionError:
            raise BadDataset(f"row {index}: nested too deeply") from None
        except ValueError as error:
            raise BadDataset(f"row {index}: {error}") from None

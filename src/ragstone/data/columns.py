"""Which column of a table fills which field of a sample."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ragstone.errors import BadDataset

__all__ = [
    "ALIASES",
    "FIELDS",
    "JSON_MARK",
    "METADATA",
    "ColumnWarning",
    "Columns",
    "Place",
    "is_free_name",
]

FIELDS = (
    "id",
    "user_input",
    "retrieved_contexts",
    "reference_contexts",
    "retrieved_context_ids",
    "reference_context_ids",
    "reference_context_grades",
    "response",
    "multi_responses",
    "reference",
    "reference_tool_calls",
    "reference_topics",
    "chatbot_role",
    "rubrics",
    "run_time",
    "persona_name",
    "query_style",
    "query_length",
)
"""The sample fields that a column can fill, in the order in which columns are written."""

ALIASES = {
    "question": "user_input",
    "query": "user_input",
    "input": "user_input",
    "prompt": "user_input",
    "answer": "response",
    "output": "response",
    "completion": "response",
    "llm_answer": "response",
    "contexts": "retrieved_contexts",
    "context": "retrieved_contexts",
    "llm_context_list": "retrieved_contexts",
    "ground_truth": "reference",
    "ground_truths": "reference",
    "expected": "reference",
    "expected_output": "reference",
    "reference_answer": "reference",
}
"""Other usual names of columns, and the field that each fills."""

METADATA = "metadata"
"""The column whose JSON object is taken as further metadata."""

JSON_MARK = ":json"
"""The end of the name of a column whose every cell is JSON."""

_CLOSE = 0.9  # "rubric" and "refrence" are close to a field; "response_2" and "query_type" are not


class ColumnWarning(UserWarning):
    """A column that fills no field, although its name is nearly that of one."""


class Place(NamedTuple):
    """Where the value under `key` belongs.

    `column` is the key without its JSON mark; `field` is a sample field, "metadata" for an object
    of further metadata, or None for a metadata value of the column's name.
    """

    key: str
    column: str
    field: str | None
    is_json: bool


class Columns:
    """The columns of one data set.

    `column_map` maps a field, by its name or one of its usual other names, to the user's column.
    An explicit mapping wins: other columns that would fill the same field become metadata.
    """

    def __init__(self, column_map: Mapping[str, str] | None = None) -> None:
        self._mapped = _by_column(column_map or {})
        self._column_of: dict[str, str] = {field: c for c, field in self._mapped.items()}
        self._places: dict[tuple[str, ...], tuple[Place, ...]] = {}
        self._seen: set[str] = set()

    def places(self, keys: tuple[str, ...]) -> tuple[Place, ...]:
        """The place of each key of a row.

        Raises BadDataset when two columns of the data set fill one field; warns once for each
        column that looks like a misspelt field.
        """
        if keys not in self._places:
            self._places[keys] = self._settle(keys)
        return self._places[keys]

    def check_mapped(self) -> None:
        """Raise BadDataset when column_map names a column that no row had."""
        for column, field in self._mapped.items():
            if column not in self._seen:
                raise BadDataset(
                    f"column_map maps {field!r} to the column {column!r}, which does not exist; "
                    f"columns here: {', '.join(map(repr, sorted(self._seen))) or 'none'}"
                )

    def _settle(self, keys: tuple[str, ...]) -> tuple[Place, ...]:
        places = tuple(self._place(key) for key in keys)
        for place in places:
            if place.field is not None and place.field != METADATA:
                self._claim(place.field, place.column)
            elif place.field is None and place.column not in self._seen:
                _warn_if_misspelt(place.column)
        self._seen.update(place.column for place in places)
        return places

    def _place(self, key: str) -> Place:
        if not isinstance(key, str):
            raise BadDataset(f"the column name {key!r} is not text")
        column = key.removesuffix(JSON_MARK)
        field = self._mapped.get(column)
        if field is None:
            field = _usual_field(column)
            if field in self._mapped.values():
                field = None
        return Place(key, column, field, is_json=column != key)

    def _claim(self, field: str, column: str) -> None:
        first = self._column_of.setdefault(field, column)
        if first != column:
            raise BadDataset(
                f"the columns {first!r} and {column!r} both fill the field {field!r}; "
                f"choose one with column_map={{{field!r}: {first!r}}}, or remove one"
            )


@lru_cache(maxsize=1024)
def is_free_name(name: str) -> bool:
    """Whether a column of this name is read back as metadata of this name, without a warning."""
    return (
        _usual_field(name) is None
        and not name.endswith(JSON_MARK)
        and name == name.strip() != ""
        and name.isprintable()
        and _near(name) is None
    )


def _usual_field(column: str) -> str | None:
    return column if column in FIELDS or column == METADATA else ALIASES.get(column)


def _near(column: str) -> str | None:
    if any(letter.isdigit() for letter in column):
        return None
    name = column.strip().lower().replace(" ", "_").replace("-", "_")
    close = difflib.get_close_matches(name, [*FIELDS, *ALIASES], n=1, cutoff=_CLOSE)
    return close[0] if close else None


def _warn_if_misspelt(column: str) -> None:
    near = _near(column)
    if near is not None and column not in FIELDS and column not in ALIASES:
        field = ALIASES.get(near, near)
        warnings.warn(
            f"the column {column!r} fills no field and is kept as metadata; if you meant {near!r}, "
            f"rename it or pass column_map={{{field!r}: {column!r}}}",
            ColumnWarning,
            stacklevel=2,
        )


def _by_column(column_map: Mapping[str, str]) -> dict[str, str]:
    """The map turned round, column -> field, with every name checked."""
    mapped: dict[str, str] = {}
    for name, column in column_map.items():
        field = name if name in FIELDS else ALIASES.get(name)
        if field is None:
            turned = _usual_field(column) is not None
            raise BadDataset(
                f"column_map has {name!r}, which is no field; "
                + (f"write it the other way round, {{{column!r}: {name!r}}}; " if turned else "")
                + f"fields: {', '.join(FIELDS)}"
            )
        if field in mapped.values():
            raise BadDataset(f"column_map maps the field {field!r} twice")
        if column in mapped:
            raise BadDataset(
                f"column_map maps the column {column!r} to both {mapped[column]!r} and {field!r}"
            )
        mapped[column] = field
    return mapped

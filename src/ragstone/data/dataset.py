"""The data set that an evaluation reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from ragstone.data.columns import FIELDS
from ragstone.data.files import FileFormat, iter_samples, write_samples
from ragstone.data.hash import content_hash
from ragstone.data.rows import RowReader, check_kind, checked, row_of
from ragstone.errors import BadDataset
from ragstone.schema.samples import MultiTurnSample, Sample, SingleTurnSample

if TYPE_CHECKING:
    import datasets
    import pandas

__all__ = ["EvaluationDataset"]

_Path = str | os.PathLike[str]
_Map = Mapping[str, str] | None
_Row = Mapping[str, Any] | Sample


class EvaluationDataset(Sequence[Sample]):
    """Samples in order: all single-turn, or all multi-turn.

    An index gives a sample, a slice a data set. `name` names the data in reports. Raises
    BadDataset when both kinds of sample are mixed.
    """

    def __init__(self, samples: Iterable[Sample], *, name: str | None = None) -> None:
        self.samples = list(samples)
        self.name = name
        for index, sample in enumerate(self.samples):
            if not isinstance(sample, SingleTurnSample | MultiTurnSample):
                raise BadDataset(
                    f"sample {index} is a {type(sample).__name__!r}, not a sample; "
                    "for dicts use EvaluationDataset.from_list"
                )
            check_kind(sample, f"sample {index}", self.samples[0], "sample 0")

    def __len__(self) -> int:
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.samples)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> EvaluationDataset: ...
    def __getitem__(self, index: int | slice) -> Sample | EvaluationDataset:
        if isinstance(index, slice):
            return type(self)(self.samples[index], name=self.name)
        return self.samples[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EvaluationDataset):
            return NotImplemented
        return self.samples == other.samples

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"EvaluationDataset(features={self.features()}, len={len(self)})"

    @property
    def content_hash(self) -> str:
        """SHA-256 over the samples in order, in hexadecimal; the same from every file format."""
        return content_hash(self.samples)

    def is_multi_turn(self) -> bool:
        """Whether the samples are conversations; False for an empty data set."""
        return bool(self.samples) and isinstance(self.samples[0], MultiTurnSample)

    def features(self) -> list[str]:
        """Names of the fields and metadata columns that hold a value in some sample."""
        found = dict.fromkeys(name for sample in self.samples for name in sample.get_features())
        return [f for f in FIELDS if f in found] + [f for f in found if f not in FIELDS]

    def groups(self, column: str) -> list[str | None]:
        """The value of a field or metadata column in each row, as text; None where there is none.

        Raises BadDataset when no row has a value there, or when a value is a list or an object.
        """
        values = [sample.value(column) for sample in self.samples]
        if all(value is None for value in values):
            has = ", ".join(map(repr, self.features())) or "none"
            raise BadDataset(f"no row has a value in the column {column!r}; columns here: {has}")
        for index, value in enumerate(values):
            if not isinstance(value, str | int | float | None):
                raise BadDataset(
                    f"row {index}: the column {column!r} holds a {type(value).__name__!r}; "
                    "rows are grouped by text or numbers"
                )
        return [None if value is None else str(value) for value in values]

    @classmethod
    def from_list(
        cls, rows: Iterable[_Row], *, column_map: _Map = None, name: str | None = None
    ) -> EvaluationDataset:
        """From dicts, samples, or both; a list as user_input makes a multi-turn sample.

        `column_map` maps a field to the user's column, as in {"contexts": "my_ctx"}; columns that
        fill no field become metadata. Raises BadDataset naming row (from 0) and column.
        """
        reader = RowReader(column_map)
        samples: list[Sample] = []
        for index, row in enumerate(rows):
            if isinstance(row, SingleTurnSample | MultiTurnSample):
                reader.keep(row, f"row {index}")
                samples.append(row)
            else:
                samples.append(reader.sample(row, f"row {index}"))
        if samples:
            reader.finish()
        return cls(samples, name=name)

    @classmethod
    def from_dict(
        cls,
        mapping: Mapping[str, Sequence[Any]] | Iterable[_Row],
        *,
        column_map: _Map = None,
        name: str | None = None,
    ) -> EvaluationDataset:
        """From a dict of columns, all of one length; a list of dicts is taken as well."""
        if not isinstance(mapping, Mapping):
            return cls.from_list(mapping, column_map=column_map, name=name)
        for column, values in mapping.items():
            if isinstance(values, str) or not isinstance(values, Iterable):
                raise BadDataset(f"the column {column!r} is not a list of values: {values!r}")
        columns = {column: list(values) for column, values in mapping.items()}
        lengths = {column: len(values) for column, values in columns.items()}
        if len(set(lengths.values())) > 1:
            raise BadDataset(f"the columns have different lengths: {lengths}")
        rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
        return cls.from_list(rows, column_map=column_map, name=name)

    @classmethod
    def from_pandas(
        cls, dataframe: pandas.DataFrame, *, column_map: _Map = None, name: str | None = None
    ) -> EvaluationDataset:
        """From a pandas DataFrame; its index is left out, NaN is a missing value."""
        from ragstone.data.frames import pandas_rows

        return cls.from_list(pandas_rows(dataframe), column_map=column_map, name=name)

    @classmethod
    def from_hf_dataset(
        cls, dataset: datasets.Dataset, *, column_map: _Map = None, name: str | None = None
    ) -> EvaluationDataset:
        """From one split of a Hugging Face data set."""
        from ragstone.data.frames import hf_rows

        return cls.from_list(hf_rows(dataset), column_map=column_map, name=name)

    @classmethod
    def from_csv(
        cls, path: _Path, *, column_map: _Map = None, name: str | None = None
    ) -> EvaluationDataset:
        """From a CSV file, or a TSV file if it is named so. Raises BadDataset."""
        return cls._from_file(path, _text_format(path), column_map, name)

    @classmethod
    def from_jsonl(
        cls, path: _Path, *, column_map: _Map = None, name: str | None = None
    ) -> EvaluationDataset:
        """From a file with one JSON object on each line. Raises BadDataset."""
        return cls._from_file(path, "jsonl", column_map, name)

    @classmethod
    def from_parquet(
        cls, path: _Path, *, column_map: _Map = None, name: str | None = None
    ) -> EvaluationDataset:
        """From a Parquet file. Raises BadDataset, MissingExtra."""
        return cls._from_file(path, "parquet", column_map, name)

    @classmethod
    def _from_file(
        cls, path: _Path, format: FileFormat, column_map: _Map, name: str | None
    ) -> EvaluationDataset:
        return cls(iter_samples(path, column_map=column_map, format=format), name=name)

    def to_list(self) -> list[dict[str, Any]]:
        """The samples as plain dicts without empty fields, metadata columns beside the others."""
        return list(checked(self.samples, row_of))

    def to_pandas(self) -> pandas.DataFrame:
        """The samples as a pandas DataFrame. Raises MissingExtra."""
        from ragstone.data.frames import pandas_frame_of

        return pandas_frame_of(self.samples)

    def to_hf_dataset(self) -> datasets.Dataset:
        """The samples as a Hugging Face data set. Raises MissingExtra."""
        from ragstone.data.frames import hf_dataset_of

        return hf_dataset_of(self.samples)

    def to_csv(self, path: _Path, *, overwrite: bool = False) -> None:
        """Write a CSV file (TSV if it is named so) that reads back as the same samples.

        Raises UsageError when it exists and `overwrite` is false.
        """
        write_samples(self.samples, path, format=_text_format(path), overwrite=overwrite)

    def to_jsonl(self, path: _Path, *, overwrite: bool = False) -> None:
        """Write one JSON object a line; like to_csv otherwise."""
        write_samples(self.samples, path, format="jsonl", overwrite=overwrite)

    def to_parquet(self, path: _Path, *, overwrite: bool = False) -> None:
        """Write a Parquet file; like to_csv otherwise. Raises MissingExtra."""
        write_samples(self.samples, path, format="parquet", overwrite=overwrite)


def _text_format(path: _Path) -> FileFormat:
    name = os.fspath(path).lower().removesuffix(".gz")
    return "tsv" if name.endswith(".tsv") else "csv"

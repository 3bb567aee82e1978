"""Conversion from and to pandas and Hugging Face data sets (the extra "data")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragstone.data.parquet import arrow_batches
from ragstone.data.rows import checked, row_of
from ragstone.errors import BadDataset, MissingExtra
from ragstone.schema.samples import Sample

if TYPE_CHECKING:
    import datasets
    import pandas

__all__ = ["hf_dataset_of", "hf_rows", "pandas_frame_of", "pandas_rows"]


def pandas_rows(frame: pandas.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows of a DataFrame; its index is left out. Raises BadDataset, MissingExtra."""
    pd = _pandas()
    if not isinstance(frame, pd.DataFrame):
        raise BadDataset(f"a pandas DataFrame is needed, got {type(frame).__name__!r}")
    names = list(frame.columns)
    for name in names:
        if names.count(name) > 1:
            raise BadDataset(f"the column {name!r} occurs twice")
    if not names:  # rows without any value, which itertuples leaves out
        yield from ({} for _ in range(len(frame)))
    for values in frame.itertuples(index=False, name=None):
        yield dict(zip(names, values, strict=True))


def pandas_frame_of(samples: Sequence[Sample]) -> pandas.DataFrame:
    """A DataFrame with a column for each field that some sample has.

    The columns keep Python's own values (dtype object), so that whole numbers, lists and missing
    values come back as they were.
    """
    pd = _pandas()
    rows = list(checked(samples, row_of))
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[row.get(name) for name in names] for row in rows]
    frame: pandas.DataFrame = pd.DataFrame(cells, columns=names, dtype=object)
    return frame


def hf_rows(dataset: datasets.Dataset) -> Iterator[Mapping[str, Any]]:
    """The rows of a Hugging Face data set, streaming or not. Raises BadDataset, MissingExtra."""
    datasets = _datasets()
    if isinstance(dataset, datasets.DatasetDict | datasets.IterableDatasetDict):
        raise BadDataset(
            f"several splits, {', '.join(map(repr, dataset))}; choose one: dataset["
            f"{next(iter(dataset), 'train')!r}]"
        )
    if not isinstance(dataset, datasets.Dataset | datasets.IterableDataset):
        raise BadDataset(f"a Hugging Face Dataset is needed, got {type(dataset).__name__!r}")
    yield from dataset.with_format(None)


def hf_dataset_of(samples: Sequence[Sample]) -> datasets.Dataset:
    """A Hugging Face data set with the columns of a Parquet file."""
    datasets = _datasets()
    if not samples:
        return datasets.Dataset.from_dict({})
    parts = [
        datasets.Dataset(datasets.table.InMemoryTable.from_batches([batch]))
        for batch in arrow_batches(samples)
    ]
    return datasets.concatenate_datasets(parts)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise MissingExtra("pandas", "data") from None
    return pandas


def _datasets() -> Any:
    try:
        import datasets
    except ImportError:
        raise MissingExtra("Hugging Face datasets", "data") from None
    return datasets

"""The data sets that `evaluate` takes, as one kind of thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ragstone.data.dataset import EvaluationDataset
from ragstone.errors import BadDataset

__all__ = ["as_dataset"]


def as_dataset(data: Any, column_map: Mapping[str, str] | None = None) -> EvaluationDataset:
    """An EvaluationDataset from one, from rows, a dict of columns, a file, pandas or Hugging Face.

    Raises BadDataset for anything else, and when `column_map` is given for a finished data set.
    """
    if isinstance(data, EvaluationDataset):
        if column_map:
            raise BadDataset("column_map is for raw rows and files; this data set has its fields")
        return data
    if isinstance(data, (str, Path)):
        from ragstone.data.readers import read_samples

        return read_samples(Path(data), column_map=column_map)
    if isinstance(data, Mapping):
        return EvaluationDataset.from_dict(data, column_map=column_map)
    origin = type(data).__module__.partition(".")[0]
    if origin == "pandas":
        return EvaluationDataset.from_pandas(data, column_map=column_map)
    if origin == "datasets":
        return EvaluationDataset.from_hf_dataset(data, column_map=column_map)
    if isinstance(data, Sequence):
        return EvaluationDataset.from_list(data, column_map=column_map)
    raise BadDataset(
        f"cannot read a data set from {type(data).__name__}; give an EvaluationDataset, a list of "
        "dicts, a dict of columns, a path, a pandas DataFrame or a Hugging Face Dataset"
    )

"""Read a file of samples."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ragstone.data.dataset import EvaluationDataset
from ragstone.data.files import FileFormat, iter_samples

__all__ = ["iter_samples", "read_samples"]


def read_samples(
    path: str | os.PathLike[str],
    *,
    column_map: Mapping[str, str] | None = None,
    format: FileFormat | None = None,
) -> EvaluationDataset:
    """The samples of a .csv, .tsv, .jsonl, .ndjson, .json or .parquet file, named after it.

    All but Parquet may be packed with gzip (.gz). `column_map` maps a field to the file's column.
    Raises BadDataset naming file, line and column.
    """
    samples = iter_samples(path, column_map=column_map, format=format)
    return EvaluationDataset(samples, name=Path(path).name)

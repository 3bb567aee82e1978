"""Names that a user types: of metrics, columns and files."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from ragstone.errors import BadDataset, UsageError
from ragstone.metrics.base import Metric
from ragstone.metrics.catalogue import build, split_commas

__all__ = ["column_map", "data_file", "metric_list", "split_names"]

_EXAMPLES = {
    "aspect_critic": "aspect_critic:name=polite,definition=Is the response polite?",
    "discrete_metric": "discrete_metric:name=tone,prompt=Which tone has {response}?,"
    "allowed_values=formal|casual",
}


def metric_list(texts: Sequence[str]) -> list[Metric] | None:
    """The metrics of "a,b:p=v,q=w" (one or several such texts); None when there is none."""
    return [_built(text) for text in split_names(texts)] or None


def _built(text: str) -> Metric:
    try:
        return build(text)
    except UsageError as error:
        name = text.partition(":")[0]
        if name not in _EXAMPLES:
            raise
        raise UsageError(f"{str(error).rstrip('.')}. Write it as -m '{_EXAMPLES[name]}'") from None


def split_names(texts: Sequence[str]) -> list[str]:
    """The names in comma-separated texts; "q=w" behind "b:p=v" belongs to b."""
    names: list[str] = []
    for part in (part for text in texts for part in split_commas(text)):
        if "=" in part and ":" not in part.partition("=")[0] and names and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def column_map(pairs: Sequence[str]) -> dict[str, str]:
    """{field: column} from texts such as "response=answer_v2"."""
    mapped: dict[str, str] = {}
    for pair in pairs:
        field, equals, column = (part.strip() for part in pair.partition("="))
        if not (field and equals and column):
            raise UsageError(f"--column {pair!r}: write FIELD=COLUMN, as in response=answer_v2")
        if field in mapped:
            raise UsageError(f"--column gives two columns for the field {field!r}")
        mapped[field] = column
    return mapped


def data_file(path: Path) -> Path:
    """The path when there is such a file; else BadDataset with the near names."""
    if path.is_file():
        return path
    if path.is_dir():
        raise BadDataset(f"{str(path)!r} is a folder; give a file of samples")
    others = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, others, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(repr(str(path.parent / one)) for one in near)}?"
    raise BadDataset(f"there is no file {str(path)!r}{hint if near else ''}")

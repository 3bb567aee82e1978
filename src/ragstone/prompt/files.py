"""JSON files of prompts and metrics: plain or compressed, written whole or not at all."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pydantic_core

from ragstone.errors import UsageError

__all__ = ["json_path", "read_json", "write_json"]


def json_path(path: str | os.PathLike[str] | None, name: str) -> Path:
    """The file that is meant: NAME.json here or in a folder; `.json` is added to no suffix."""
    if path is None or Path(path).is_dir():
        if Path(name).name != name:
            raise UsageError(
                f"the name {name!r} is no file name; say which file is meant: path=..."
            )
        return Path(path or ".") / f"{name}.json"
    found = Path(path)
    return found if found.suffix else found.with_suffix(".json")


def write_json(path: Path, data: Mapping[str, Any], *, overwrite: bool) -> None:
    """Write data as JSON, compressed when the name ends in .gz.

    Raises UsageError for data that are no JSON, FileExistsError unless `overwrite`.
    """
    try:
        text = pydantic_core.to_json(data, indent=2, inf_nan_mode="strings") + b"\n"
    except pydantic_core.PydanticSerializationError as error:
        raise UsageError(f"cannot be saved as JSON: {error}") from error
    whole = gzip.compress(text, mtime=0) if path.suffix == ".gz" else text
    if not overwrite and path.exists():
        raise FileExistsError(f"{str(path)!r} exists already")
    beside = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        beside.write_bytes(whole)
        if overwrite:
            beside.replace(path)
        else:
            path.hardlink_to(beside)  # never over a file that came in the meantime
    finally:
        beside.unlink(missing_ok=True)


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The object in a JSON file; raises UsageError naming the file that is none."""
    try:
        raw = Path(path).read_bytes()
        data = pydantic_core.from_json(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    except FileNotFoundError:
        raise UsageError(f"there is no file {str(path)!r}") from None
    except (ValueError, EOFError, OSError, zlib.error) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise UsageError(f"{str(path)!r} holds no JSON object")
    return data

"""Reading the labelled sets; the folder is the environment variable RAGSTONE_LABELLED_DATA."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path


def raw(name: str) -> Iterator[dict]:
    """The rows of FOLDER/name.jsonl.gz."""
    path = Path(os.environ["RAGSTONE_LABELLED_DATA"]) / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)

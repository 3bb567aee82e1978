"""Labelled rows made up for the tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FACTS = ["The bridge is 300 m long.", "The mill burned in 1911.", "Ada plays the cello."]


def claims(count: int = 12, label: str = "supported") -> list[dict[str, Any]]:
    """Statements that stand in their context, and statements about something else, in turn."""
    return [
        {
            "id": f"row-{n}",
            "question": f"Which fact is number {n // 2}?",
            "contexts": [f"{FACTS[n % 3]} Nothing else happened in year {n}."],
            "response": FACTS[n % 3] if n % 2 else "Snow fell on the harbor.",
            label: n % 2,
        }
        for n in range(count)
    ]


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """The rows as JSON Lines, packed where the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path

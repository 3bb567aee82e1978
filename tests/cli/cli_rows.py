"""Small files of samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_rows(path: Path, *, wrong: int, n: int = 8, **more: Any) -> Path:
    """Rows whose last `wrong` responses are not the reference."""
    rows = [
        {
            "id": f"q{row}",
            "user_input": f"What is {row} + {row}?",
            "response": "no idea" if row >= n - wrong else str(2 * row),
            "reference": str(2 * row),
            "topic": f"t{row % 3}",
            **more,
        }
        for row in range(n)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path

"""(d) 100,000 rows with a string metric, from a file, through the store: time and memory.

    python benchmarks/memory.py [ROWS]

Prints rows per second and the resident memory of the process every fifth of the way.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from ragstone import evaluate
from ragstone.metrics import ExactMatch
from ragstone.schema.cells import Cell


def resident() -> int:
    """Resident memory now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1_000_000


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for n in range(count):
                row = {"id": str(n), "response": f"answer {n} " + "x" * 200, "reference": f"{n}"}
                file.write(json.dumps(row) + "\n")
        seen = 0

        def watch(_: Cell) -> None:
            nonlocal seen
            seen += 1
            if seen % (count // 5) == 0:
                print(f"  {seen:>7} cells: {resident()} MB resident")

        started = time.perf_counter()
        result = evaluate(
            path,
            [ExactMatch()],
            store=f"sqlite:///{folder}/runs.db",
            show_progress=False,
            callbacks=[watch],
        )
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
        print(f"{count} rows: {count / seconds:,.0f} rows/s, peak {peak} MB; {result}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)

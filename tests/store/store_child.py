"""A process of its own that opens a store, or writes cells to one until it is killed.

python store_child.py open URL
python store_child.py write URL RUN_ID FIRST_ROW END_ROW

Writing prints the row of every cell once it is committed. Both wait for a line on standard input
before they begin, so that several start at the same moment.
"""

from __future__ import annotations

import sys

from store_builders import make_cell

from ragstone.store import open_store


def write(url: str, run_id: str, first: int, end: int) -> None:
    with open_store(url) as store:
        for start in range(first, end, 4):
            batch = range(start, min(start + 4, end))
            store.add_cells(run_id, [make_cell(row) for row in batch])
            for row in batch:
                print(row, flush=True)


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    match sys.argv[1:]:
        case ["open", url]:
            open_store(url).close()
        case ["write", url, run_id, first, end]:
            write(url, run_id, int(first), int(end))

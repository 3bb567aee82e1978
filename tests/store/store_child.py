"""A process of its own that opens a store, or writes cells to one until it is killed.

python store_child.py open URL
python store_child.py write URL RUN_ID FIRST_ROW END_ROW
python store_child.py take URL RUN_ID

Taking prints whether the lease of the run was got, and the owner, and holds it until another line
comes. Writing prints the row of every cell once it is committed. All wait for a line on standard
input before they begin, so that several start at the same moment.
"""

from __future__ import annotations

import sys

from store_builders import make_cell

from ragstone.store import open_store
from ragstone.store.lease import new_owner


def write(url: str, run_id: str, first: int, end: int) -> None:
    with open_store(url) as store:
        for start in range(first, end, 4):
            batch = range(start, min(start + 4, end))
            store.add_cells(run_id, [make_cell(row) for row in batch])
            for row in batch:
                print(row, flush=True)


def take(url: str, run_id: str) -> None:
    owner = new_owner()
    with open_store(url) as store:
        print(store.take(run_id, owner), owner, flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    match sys.argv[1:]:
        case ["open", url]:
            open_store(url).close()
        case ["write", url, run_id, first, end]:
            write(url, run_id, int(first), int(end))
        case ["take", url, run_id]:
            take(url, run_id)

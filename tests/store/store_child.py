"""A process of its own that opens a store, or writes cells to one until it is killed.

python store_child.py open URL
python store_child.py write URL RUN_ID FIRST_ROW END_ROW

Writing prints the row of every cell once it is committed. Both wait for a line on standard input
before they begin, so that several start at the same moment.
"""

from __future__ import annotations

import asyncio
import sys

from store_builders import make_cell

from ragstone.store import CellWriter, open_store


async def write(url: str, run_id: str, first: int, end: int) -> None:
    waiting = iter(range(first, end))
    with open_store(url) as store:
        async with CellWriter(store, run_id) as writer:

            async def work() -> None:
                for row in waiting:
                    await writer.add(make_cell(row))
                    print(row, flush=True)

            await asyncio.gather(*(work() for _ in range(16)))


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    match sys.argv[1:]:
        case ["open", url]:
            open_store(url).close()
        case ["write", url, run_id, first, end]:
            asyncio.run(write(url, run_id, int(first), int(end)))

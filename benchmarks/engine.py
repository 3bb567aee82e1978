"""(a) Faithfulness with a judge that answers at once: what the engine itself costs.

    python benchmarks/engine.py [ROWS]

5,000 rows with 2.6 kB of contexts, one process. Prints samples per second, median of five runs.
"""

from __future__ import annotations

import statistics
import sys
import time

from judges import InstantJudge, rows

from ragstone import evaluate
from ragstone.metrics import Faithfulness


def main(count: int) -> None:
    data = rows(count)
    rates = []
    for _ in range(5):
        judge = InstantJudge()
        started = time.perf_counter()
        result = evaluate(data, [Faithfulness()], judge, store=False, show_progress=False)
        rates.append(count / (time.perf_counter() - started))
        assert judge.asked == 2 * count, judge.asked
        assert result.means() == {"faithfulness": 1.0}
    print(f"{count} rows: {statistics.median(rates):,.0f} samples/s (five runs: ", end="")
    print(", ".join(f"{rate:,.0f}" for rate in rates), end=")\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)

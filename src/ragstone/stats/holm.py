"""Holm's step-down adjustment for several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

from ragstone.errors import UsageError

__all__ = ["holm"]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the adjusted p-values in the given order, each 0 to 1.

    The chance of even one false finding stays below alpha, whatever the tests share.
    None (nothing to compare) stays None and does not count as a test.

    Raises UsageError: a p-value outside 0 to 1.

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.
    """
    tests: list[tuple[float, int]] = []
    for index, p in enumerate(p_values):
        if p is None:
            continue
        if not 0 <= p <= 1:
            raise UsageError(f"p_values[{index}] is {p!r}; a p-value lies between 0 and 1.")
        tests.append((p, index))
    adjusted: list[float | None] = [None] * len(p_values)
    running = 0.0
    for rank, (p, index) in enumerate(sorted(tests)):
        running = max(running, min(1.0, p * (len(tests) - rank)))
        adjusted[index] = running
    return adjusted

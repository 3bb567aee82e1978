"""Is the new run at most so much worse than the old one? The question of a gate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ragstone.errors import UsageError
from ragstone.stats.intervals import Interval
from ragstone.stats.pairs import PairedData, Pairs, difference_interval
from ragstone.stats.values import checked_share, exact_mean

__all__ = ["NonInferiority", "non_inferior"]

Reason = Literal["within margin", "no row worse", "worse", "too few rows"]


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """The answer of a gate: passed or not, why, and the numbers behind it.

    loss is the mean loss of b against a, positive when b is worse, in the metric's unit.
    loss_bound is its one-sided upper limit at that level. rows_needed is about how many
    matched rows would settle it if the loss stayed as seen; None where more rows would not
    help or nothing is known of the noise.
    """

    passed: bool
    reason: Reason
    loss: float | None
    loss_bound: float | None
    margin: float
    level: float
    n: int
    rows_needed: int | None
    message: str


def non_inferior(
    data: PairedData, margin: float, *, level: float = 0.95, seed: int = 0
) -> NonInferiority:
    """Pass when the loss of b is at most the margin with that one-sided certainty.

    Fails as "worse" when the loss is surely above the margin, and as "too few rows" when the
    data leave both open: a gate must protect, so doubt fails. One case needs no inference: if
    no matched row got worse, there is no loss to bound, and an unchanged run passes.

    Raises UsageError: a margin below 0 or not finite, a level not between 0.5 and 1, and as
    compare_paired.

    Source: Piaggio et al. 2012, Reporting of noninferiority trials (CONSORT extension).
    """
    if not (math.isfinite(margin) and margin >= 0):
        raise UsageError(f"margin is {margin!r}; give the largest loss to accept, 0 or more.")
    if checked_share(level, "level") <= 0.5:
        raise UsageError(f"level is {level!r}; a one-sided level lies above 0.5, such as 0.95.")
    pairs = Pairs.check(data)
    interval = difference_interval(pairs, level=2 * level - 1, seed=seed)
    sign = -1.0 if data.higher_is_better else 1.0
    losses = sign * pairs.differences
    n = len(losses)
    loss = exact_mean(losses) if n else None
    low, high = _loss_limits(interval, data.higher_is_better)
    reason = _reason(margin, n, low, high, worst=max(losses.tolist(), default=math.inf))
    needed = _rows_needed(n, loss, high, margin) if reason == "too few rows" else None
    return NonInferiority(
        passed=reason in ("within margin", "no row worse"),
        reason=reason,
        loss=loss,
        loss_bound=high,
        margin=margin,
        level=level,
        n=n,
        rows_needed=needed,
        message=_message(reason, n, loss, high, margin, needed),
    )


def _loss_limits(
    interval: Interval | None, higher_is_better: bool
) -> tuple[float | None, float | None]:
    if interval is None:
        return None, None
    if higher_is_better:
        return -interval.high, -interval.low
    return interval.low, interval.high


def _reason(margin: float, n: int, low: float | None, high: float | None, worst: float) -> Reason:
    if n and worst <= 0:
        return "no row worse"
    if low is None or high is None:
        return "too few rows"
    if high <= margin:
        return "within margin"
    return "worse" if low > margin else "too few rows"


def _rows_needed(n: int, loss: float | None, high: float | None, margin: float) -> int | None:
    """Return about how many rows bring the limit down to the margin: its width goes by 1/√n."""
    if loss is None or high is None or loss >= margin:
        return None
    return math.ceil(n * ((high - loss) / (margin - loss)) ** 2)


def _message(
    reason: Reason,
    n: int,
    loss: float | None,
    high: float | None,
    margin: float,
    needed: int | None,
) -> str:
    rows = f"{n:,} matched row{'' if n == 1 else 's'}"
    if reason == "no row worse":
        return f"Not one of {rows} got worse."
    if loss is None:
        return "No matched rows, so nothing is known of a loss: score the same rows in both runs."
    seen = f"the mean {'loss' if loss > 0 else 'gain'} is {abs(loss):.4g} on {rows}"
    if high is None:
        return f"Not enough rows to tell: {seen}, which gives no limit of the loss."
    if reason == "within margin":
        return f"No worse than {margin:g}: {seen}, the loss at most {high:.4g}."
    if reason == "worse":
        return f"Worse by more than {margin:g}: {seen}."
    more = "" if needed is None else f" About {needed:,} rows would settle it."
    limit = f"the loss may be up to {high:.4g}, above {margin:g}"
    return f"Not enough rows to tell: {seen}, {limit}.{more}"

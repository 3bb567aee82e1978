"""How numbers are written in every report: no more digits than they carry, and never NaN."""

from __future__ import annotations

import math

from ragstone.schema.results import Value
from ragstone.schema.usage import Usage
from ragstone.stats.intervals import Interval

__all__ = [
    "NO_SCORE",
    "cost_text",
    "count_text",
    "interval_text",
    "p_text",
    "score_text",
    "seconds_text",
    "share_text",
    "signed_text",
    "usage_text",
    "value_text",
]

NO_SCORE = "no score"


def score_text(value: float | None) -> str:
    """A mean or score with four digits at most; "no score" for None.

    What is not a whole number is never rounded to one: 0.99996 stays below 1.
    """
    if value is None:
        return NO_SCORE
    size = abs(value)
    digits = 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0
    whole = round(value)
    if abs(value - whole) > 1e-9 and size < 10:
        while digits < 9 and round(value, digits) == whole:
            digits += 1
    if 0 < size < 1e-4:
        return f"{value:.2g}"
    return f"{value or 0.0:,.{digits}f}"


def value_text(value: Value) -> str:
    """The value of one row: a number as a score, whole numbers and labels as they are."""
    if isinstance(value, bool) or value is None:
        return NO_SCORE if value is None else str(int(value))
    if isinstance(value, float):
        return score_text(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else value


def signed_text(value: float | None) -> str:
    """A difference with its sign."""
    if value is None:
        return NO_SCORE
    return f"+{score_text(value)}" if value > 0 else score_text(value)


def interval_text(interval: Interval | None) -> str:
    """Both ends in brackets; a dash where the data give no interval."""
    if interval is None:
        return "–"
    return f"[{score_text(interval.low)}, {score_text(interval.high)}]"


def p_text(p: float | None) -> str:
    """A p-value with three decimals, "<0.001" below that; a dash for None."""
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def share_text(share: float | None) -> str:
    """A share as whole percent, never rounded to 0 % or 100 % when it is neither."""
    if share is None:
        return NO_SCORE
    percent = round(share * 100)
    if percent == 0 < share:
        return "<1 %"
    return ">99 %" if percent == 100 and share < 1 else f"{percent} %"


def seconds_text(seconds: float | None) -> str:
    """A duration: "0.42 s", "12 s", "3 min 05 s", "1 h 02 min"; a dash for None."""
    if seconds is None:
        return "–"
    if seconds < 10:
        return f"{seconds:.2g} s" if seconds else "0 s"
    whole = math.floor(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02d} min"


def cost_text(cost: float | None) -> str:
    """US dollars; "cost unknown" when the price of the model is not known."""
    if cost is None:
        return "cost unknown"
    if 0 < cost < 1e-4:
        return "<$0.0001"
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.2g}"


def count_text(count: int, noun: str) -> str:
    """A count with its noun: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def usage_text(usage: Usage) -> str:
    """Calls, tokens and cost of a run or a call in one phrase."""
    if not usage.calls and not usage.cached_calls:
        return "no calls to a provider"
    parts = [count_text(usage.calls, "judge call")] if usage.calls else []
    if usage.cached_calls:
        cached = f"{usage.cached_calls:,} cached"
        parts.append(cached if parts else f"{cached} judge call{'s'[: usage.cached_calls - 1]}")
    tokens = usage.input_tokens + usage.output_tokens
    if tokens:
        about = "about " if usage.estimated else ""
        parts.append(f"{about}{usage.input_tokens:,} + {usage.output_tokens:,} tokens")
    if tokens or usage.cost != 0:
        parts.append(cost_text(usage.cost))
    return ", ".join(parts)

"""Platt scaling: from P(yes), and what a packaged model says, to a probability."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from math import exp, log
from typing import Any

__all__ = ["calibrated", "calibration"]

_EDGE = 1e-6  # the log-odds of 0 and 1 have no end


def calibrated(task: str, yes: float, small: float = 0.5) -> float:
    """1 / (1 + exp(-(slope * logit(yes) + small * logit(small) + intercept))), 0 to 1.

    `small` is the probability that a packaged model gives; 0.5 when there is none, which weighs
    nothing. The numbers are those of the task.
    """
    fitted = calibration()["tasks"][task]
    odds = fitted["slope"] * _log_odds(yes) + fitted["small"] * _log_odds(small)
    odds += fitted["intercept"]
    return 1.0 / (1.0 + exp(-min(max(odds, -30.0), 30.0)))


def _log_odds(probability: float) -> float:
    held = min(max(probability, _EDGE), 1.0 - _EDGE)
    return log(held / (1.0 - held))


@lru_cache(maxsize=1)
def calibration() -> dict[str, Any]:
    """The version, and the numbers of every task."""
    source = resources.files("ragstone.local_llm") / "calibration.json"
    found: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return found

"""Platt scaling: from the model's P(yes) to the probability that yes is right."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from math import exp, log
from typing import Any

__all__ = ["calibrated", "calibration"]

_EDGE = 1e-6  # the log-odds of 0 and 1 have no end


def calibrated(task: str, yes: float) -> float:
    """1 / (1 + exp(-(slope * logit(yes) + intercept))), with the numbers of the task."""
    fitted = calibration()["tasks"][task]
    held = min(max(yes, _EDGE), 1.0 - _EDGE)
    odds = fitted["slope"] * log(held / (1.0 - held)) + fitted["intercept"]
    return 1.0 / (1.0 + exp(-min(max(odds, -30.0), 30.0)))


@lru_cache(maxsize=1)
def calibration() -> dict[str, Any]:
    """The version, and slope and intercept of every task."""
    source = resources.files("ragstone.local_llm") / "calibration.json"
    found: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return found

"""Logistic models with their coefficients in a data file: what fit.py writes, this reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from math import exp

__all__ = ["Logistic", "Model", "load_model"]


@dataclass(frozen=True)
class Logistic:
    """Probability = 1 / (1 + exp(-(bias + sum of weight * value)))."""

    bias: float
    weights: tuple[float, ...]

    def probability(self, values: Sequence[float]) -> float:
        """The probability, 0 to 1, rounded to 6 digits."""
        score = self.bias + sum(w * v for w, v in zip(self.weights, values, strict=True))
        return round(1.0 / (1.0 + exp(-max(-50.0, min(50.0, score)))), 6)


@dataclass(frozen=True)
class Model:
    """The parts of a data file: version, threshold of the verdict, logistics, plain frequencies."""

    version: str
    threshold: float
    parts: dict[str, Logistic]
    rates: dict[str, float]


@lru_cache(maxsize=8)
def load_model(file: str, features: tuple[str, ...]) -> Model:
    """Read a data file of this room whose coefficients are listed by the names of features.

    Raises KeyError when the file lacks one of them.
    """
    data = json.loads((resources.files("ragstone.local") / file).read_text(encoding="utf-8"))
    parts = {
        name: Logistic(part["bias"], tuple(part["weights"][feature] for feature in features))
        for name, part in data["models"].items()
    }
    return Model(str(data["version"]), float(data["threshold"]), parts, data.get("rates", {}))

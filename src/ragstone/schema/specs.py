"""How a metric is named with its configuration: in results, files, the command line and HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MetricSpec"]


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A metric's registered name and the parameters that differ from its defaults.

    As data: {"factual_correctness": {"mode": "recall"}}. Its text is the key of a result:
    "factual_correctness" or "factual_correctness(mode=recall)".
    """

    metric: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The spec as JSON data."""
        return {self.metric: dict(self.parameters)}

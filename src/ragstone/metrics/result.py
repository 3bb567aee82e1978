"""What every metric returns."""

from ragstone.schema.results import MetricResult

__all__ = ["MetricResult"]

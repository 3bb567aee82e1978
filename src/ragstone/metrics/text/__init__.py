"""Metrics that compare strings, without any model."""

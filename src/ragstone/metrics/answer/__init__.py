"""Metrics that compare the response with a reference by meaning."""

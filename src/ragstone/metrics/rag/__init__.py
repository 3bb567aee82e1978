"""Metrics of retrieval-augmented generation."""

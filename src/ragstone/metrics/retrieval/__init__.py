"""Metrics of a ranked list of retrieved ids, as information retrieval measures it."""

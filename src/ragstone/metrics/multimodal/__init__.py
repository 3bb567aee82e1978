"""Metrics of responses to contexts of which some are pictures."""

"""Metrics whose criterion the user words."""

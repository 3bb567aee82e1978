"""Metrics of agents and conversations."""

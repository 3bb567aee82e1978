"""Metrics of what a response must not hold, and of what must not steer it."""

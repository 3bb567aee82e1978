"""Measurements of Ragstone itself: how well its judges agree with people."""

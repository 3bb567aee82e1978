"""Reports of a run: pure functions from a run to text."""

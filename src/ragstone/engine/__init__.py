"""The engine: plan an evaluation, measure its cells, stop cleanly."""

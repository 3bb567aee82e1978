"""Chat metrics: no reference, small local models, fit for live messages."""

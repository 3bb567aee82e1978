"""The larger local tier: a small language model in this process judges every prompt offline."""

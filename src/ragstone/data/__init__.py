"""Data sets of samples: reading, writing and converting them."""

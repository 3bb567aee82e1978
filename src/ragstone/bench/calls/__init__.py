"""What measuring takes: calls and tokens for each metric."""

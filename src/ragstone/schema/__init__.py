"""Plain frozen data that every room understands."""

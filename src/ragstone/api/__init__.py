"""The library's own edge: it chooses judge, embedder and store, and calls the engine."""

"""The library's own edge: it chooses judge, embedder and store, and calls the engine."""

from ragstone.api.evaluate import aevaluate, evaluate

__all__ = ["aevaluate", "evaluate"]

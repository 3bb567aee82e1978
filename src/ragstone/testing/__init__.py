"""Public fakes: test your own metrics and pipelines without a model, a key or a network."""

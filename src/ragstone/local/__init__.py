"""The local judge and embedder: small models on the CPU that answer without any LLM."""

"""How the local judge answers each prompt: one file a prompt, a function of its input and model."""

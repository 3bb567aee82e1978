"""Prompts are data: an id, words by language, typed input and output."""

"""The LLM judge: answers typed prompts with a language model."""

from ragstone.llms.factory import known_key, llm_factory

__all__ = ["known_key", "llm_factory"]

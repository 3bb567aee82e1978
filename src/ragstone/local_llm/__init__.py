"""The larger local tier: a small language model in this process judges every prompt offline."""

from ragstone.local_llm.judge import LocalLLMJudge

__all__ = ["LocalLLMJudge"]

"""Ragstone measures how good the answers of a RAG system, an agent or any LLM application are.

The public names are loaded when first used, so that the import itself costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ragstone.api.chat import achat_suite as achat_suite
    from ragstone.api.chat import chat_suite as chat_suite
    from ragstone.api.evaluation import aevaluate as aevaluate
    from ragstone.api.evaluation import evaluate as evaluate
    from ragstone.api.resume import aresume as aresume
    from ragstone.api.resume import resume as resume
    from ragstone.data.dataset import EvaluationDataset as EvaluationDataset
    from ragstone.llms.factory import llm_factory as llm_factory
    from ragstone.schema.results import MetricResult as MetricResult
    from ragstone.schema.samples import MultiTurnSample as MultiTurnSample
    from ragstone.schema.samples import SingleTurnSample as SingleTurnSample
    from ragstone.tools.cascade import CascadeJudge as CascadeJudge

_HOMES = {
    "CascadeJudge": "ragstone.tools.cascade",
    "EvaluationDataset": "ragstone.data.dataset",
    "MetricResult": "ragstone.schema.results",
    "MultiTurnSample": "ragstone.schema.samples",
    "SingleTurnSample": "ragstone.schema.samples",
    "achat_suite": "ragstone.api.chat",
    "aevaluate": "ragstone.api.evaluation",
    "aresume": "ragstone.api.resume",
    "chat_suite": "ragstone.api.chat",
    "evaluate": "ragstone.api.evaluation",
    "llm_factory": "ragstone.llms.factory",
    "resume": "ragstone.api.resume",
}

__all__ = [*sorted(_HOMES), "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragstone' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

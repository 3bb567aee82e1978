"""Which judge and embedder are used when the caller names none."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Mapping

from ragstone.cache import DiskCacheBackend
from ragstone.errors import UsageError
from ragstone.local_llm.catalogue import fetched_model
from ragstone.metrics.base import Metric
from ragstone.settings import Settings
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge
from ragstone.tools.toolbox import Toolbox

__all__ = [
    "choose_embedder",
    "choose_judge",
    "choose_tools",
    "local_installed",
    "local_llm_ready",
]


def choose_judge(
    llm: Judge | str | None, settings: Settings, env: Mapping[str, str] | None = None
) -> Judge | None:
    """The judge that is named, or the best that is there.

    In this order: the caller's; the one the settings name; an LLM whose key is in the environment;
    a language model in this process ("local-llm"), when its extra is installed and a model is
    fetched; the local judge; None when there is nothing of that. A name that ends in .gguf is a
    model file. Answers of an LLM chosen by name are kept in the cache of the settings.
    """
    named = llm if llm is not None else settings.judge
    if isinstance(named, Judge):
        return named
    from ragstone.llms.factory import known_key, llm_factory

    if named is not None and not isinstance(named, str):
        raise UsageError(
            "llm= takes a judge from llm_factory(...), 'local', 'local-llm', the path of a .gguf "
            f"file, or a model name, not {named!r}"
        )
    if named is None and (model := known_key(os.environ if env is None else env)):
        named = model
    if named is None and local_llm_ready(settings):
        named = "local-llm"
    if named == "local-llm" or (named or "").lower().endswith(".gguf"):
        return _in_process(None if named == "local-llm" else named, settings)
    if named == "local" or (named is None and local_installed()):
        from ragstone.local.judge import LocalJudge

        return LocalJudge()
    if named is None:
        return None
    return llm_factory(named, cache=DiskCacheBackend(settings.cache_dir))


def local_llm_ready(settings: Settings) -> bool:
    """Whether the extra `local-llm` is installed and a model has been fetched."""
    installed = importlib.util.find_spec("xllamacpp") is not None and local_installed()
    return installed and fetched_model(settings.models_dir) is not None


def _in_process(path: str | None, settings: Settings) -> Judge:
    from ragstone.local_llm.judge import LocalLLMJudge

    return LocalLLMJudge(
        path, cache=DiskCacheBackend(settings.cache_dir), folder=settings.models_dir
    )


def choose_embedder(embeddings: Embedder | None) -> Embedder | None:
    """The embedder that the caller gives; else the local one; None when it is not installed."""
    if embeddings is not None:
        if not isinstance(embeddings, Embedder):
            raise UsageError(f"embeddings= takes a ragstone Embedder, not {embeddings!r}")
        return embeddings
    if not local_installed():
        return None
    from ragstone.local.embedder import LocalEmbedder

    return LocalEmbedder()


def choose_tools(
    llm: Judge | str | None,
    embeddings: Embedder | None,
    metrics: Iterable[object],
    settings: Settings,
) -> Toolbox:
    """The tools of a run: those that are named, or the best that are there."""
    return Toolbox(
        judge=choose_judge(llm, settings),
        embedder=choose_embedder(embeddings),
        groundedness=_groundedness(metrics),
    )


def _groundedness(metrics: Iterable[object]) -> Judge | None:
    """The local judge, when one of the metrics needs a groundedness model and it is installed."""
    needed = any(isinstance(m, Metric) and "groundedness" in m.needs.tools for m in metrics)
    if not needed or not local_installed():
        return None
    from ragstone.local.judge import LocalJudge

    return LocalJudge()


def local_installed() -> bool:
    """Whether the packages of the extra `local` are there."""
    needed = ("onnxruntime", "tokenizers", "spacy", "ragstone_models")
    return all(importlib.util.find_spec(name) is not None for name in needed)
